#!/bin/bash
# Runs once, when the database is created. The hub connects as a plain owner: no superuser, but allowed to create the
# roles that it works as. Only a superuser can add the extension "vector", so it is added here.
set -euo pipefail
password=$(cat /secrets/owner_password)
psql -v ON_ERROR_STOP=1 -v password="$password" --username postgres --dbname postgres <<'SQL'
CREATE ROLE rapport LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE rapport OWNER rapport ENCODING 'UTF8' TEMPLATE template0;
\connect rapport
CREATE EXTENSION vector;
SQL
