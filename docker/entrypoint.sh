#!/bin/sh
# Becomes the command. The image brings no PostgreSQL of its own, so one must be named.
set -eu
[ -n "${DATABASE_URL:-}${DATABASE_URL_FILE:-}" ] || {
  echo 'Set DATABASE_URL, or DATABASE_URL_FILE to a file that holds it.' >&2
  exit 1
}
exec "$@"
