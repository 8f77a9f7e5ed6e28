#!/bin/sh
# Reads settings that are kept in files (DATABASE_URL_FILE and so on, for each setting below) and becomes the command.
set -eu

read_setting() {
  eval "file=\${$1_FILE:-}"
  [ -z "$file" ] && return 0
  [ -r "$file" ] || { echo "$1_FILE names $file, which cannot be read." >&2; exit 1; }
  value=$(cat "$file")
  export "$1=$value"
}

for setting in DATABASE_URL REDIS_URL SECRET_KEYS EMBEDDINGS_API_KEY LLM_API_KEY; do
  read_setting "$setting"
done

# The image brings no PostgreSQL of its own.
[ -n "${DATABASE_URL:-}" ] || { echo 'Set DATABASE_URL, or DATABASE_URL_FILE to a file that holds it.' >&2; exit 1; }
exec "$@"
