/** Selects the unexpired rows of one store. $1 workspace, $2 plugin, $3 connection. */
const UNEXPIRED = `
  workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND (expires_at IS NULL OR expires_at > now())`;

/** Reads one value. $4 key. */
export const READ_VALUE = `SELECT value FROM plugin_store WHERE ${UNEXPIRED} AND key = $4`;

/** Reads several values. $4 keys. */
export const READ_VALUES = `SELECT key, value FROM plugin_store WHERE ${UNEXPIRED} AND key = ANY ($4)`;

/** Selects keys that begin with $4 as an index range: U+10FFFF sorts after every other character. */
const WITH_PREFIX = `key >= $4 AND key < $4 || chr(1114111)`;

/** Returns a row if any key begins with $4. $1 workspace, $2 plugin, $3 connection. */
export const HAS_KEY_WITH_PREFIX = `
  SELECT FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND ${WITH_PREFIX} LIMIT 1`;

/** Lists entries by key. $4 prefix, $5 key to start after or null, $6 maximum number of rows. */
export const LIST_VALUES = `
  SELECT key, value, updated_at FROM plugin_store WHERE ${UNEXPIRED} AND ${WITH_PREFIX} AND ($5::text IS NULL OR key > $5)
  ORDER BY key LIMIT $6`;

/** Lists entries by key, descending. Parameters as in {@link LIST_VALUES}. */
export const LIST_VALUES_DESC = `
  SELECT key, value, updated_at FROM plugin_store WHERE ${UNEXPIRED} AND ${WITH_PREFIX} AND ($5::text IS NULL OR key < $5)
  ORDER BY key DESC LIMIT $6`;

/** Inserts or updates values. $4 keys, $5 sealed values, $6 seconds until they expire or null. */
const UPSERT_VALUES = `
  INSERT INTO plugin_store AS existing (workspace_id, plugin, connection_id, key, value, expires_at)
  SELECT $1, $2, $3, key, value, now() + make_interval(secs => expires)
  FROM unnest($4::text[], $5::jsonb[], $6::float8[]) AS input (key, value, expires)
  ON CONFLICT (workspace_id, plugin, connection_id, key)
  DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at, updated_at = now()`;

/** Sets values, replacing existing ones. */
export const PUT_VALUES = UPSERT_VALUES;

/** Sets values only where none or an expired one exists, and returns a row for each that was set. */
export const ADD_VALUES = `${UPSERT_VALUES} WHERE existing.expires_at <= now() RETURNING key`;

/** Deletes values. $4 keys. */
export const REMOVE_VALUES = `
  DELETE FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = ANY ($4)`;
