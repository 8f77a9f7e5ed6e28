import type pg from 'pg';
import { EXPORTED_TABLES } from './exported-tables.js';

/** Rows that a transaction deletes. */
const BATCH_SIZE = 5000;
const POLICY = 'workspace_deletion';
/** References between entities; they are removed before the entities. */
const UNLINK_ENTITIES = `
  UPDATE entities SET company_id = NULL, canonical_id = NULL
  WHERE workspace_id = $1 AND (company_id IS NOT NULL OR canonical_id IS NOT NULL)`;

/** Rows by table of a workspace. */
export type WorkspaceRowCounts = Readonly<Record<string, number>>;

/**
 * Deletes a workspace with all its rows, the audit log included; with `dryRun` only counts them. Keys go first, so that
 * running hubs soon refuse every call; what is written until then is found by another pass. No role of the hub may delete
 * all of this: the owner of the tables does, by a policy that is limited to the workspace and removed at the end. An
 * interrupted deletion is repeated.
 * @param pool connections as the owner that `DATABASE_URL` names
 */
export async function deleteWorkspace(pool: pg.Pool, workspace: string, dryRun: boolean): Promise<WorkspaceRowCounts> {
  const tables = await listTables(pool);
  const counts: Record<string, number> = {};
  try {
    for (const table of [...tables, 'workspaces']) await openTable(pool, table, workspace);
    for (const table of tables) counts[table] = await countRows(pool, table, workspace);
    if (dryRun) return counts;
    for (let deleted = 1; deleted > 0;) {
      deleted = 0;
      for (const table of tables) deleted += await deleteRows(pool, table, workspace);
    }
    await pool.query('DELETE FROM workspaces WHERE id = $1', [workspace]);
    return counts;
  } finally {
    for (const table of [...tables, 'workspaces']) await pool.query(`DROP POLICY IF EXISTS ${POLICY} ON ${table}`);
  }
}

/** Returns all tables of tenants: keys first, then each before those it refers to. */
async function listTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const first = ['api_keys', 'oauth_grants', 'oauth_refresh_tokens'];
  const last = EXPORTED_TABLES.filter(({ isImported }) => isImported)
    .map(({ name }) => name)
    .toReversed();
  const names = rows.map(({ name }) => name);
  const others = names.filter(name => !first.includes(name) && !last.includes(name));
  return [...first, ...others, ...last].filter(name => names.includes(name));
}

/**
 * Shows the rows of the workspace to the owner, from which row-level security hides them otherwise. The statements are one
 * transaction, since they are sent as one query.
 */
async function openTable(pool: pg.Pool, table: string, workspace: string): Promise<void> {
  if (!/^[0-9a-f-]{36}$/.test(workspace)) throw new Error('a workspace is named by its ID');
  const column = table === 'workspaces' ? 'id' : 'workspace_id';
  await pool.query(
    `SET LOCAL lock_timeout = '10s'; DROP POLICY IF EXISTS ${POLICY} ON ${table};
     CREATE POLICY ${POLICY} ON ${table} TO CURRENT_USER USING (${column} = '${workspace}')`,
  );
}

async function countRows(pool: pg.Pool, table: string, workspace: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::float8 AS n FROM ${table} WHERE workspace_id = $1`,
    [workspace],
  );
  return rows[0]!.n;
}

/** @returns the number of deleted rows. */
async function deleteRows(pool: pg.Pool, table: string, workspace: string): Promise<number> {
  if (table === 'entities') await pool.query(UNLINK_ENTITIES, [workspace]);
  let deleted = 0;
  for (let batch = BATCH_SIZE; batch === BATCH_SIZE; deleted += batch) {
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE workspace_id = $1 LIMIT ${BATCH_SIZE}))
         AND workspace_id = $1`,
      [workspace],
    );
    batch = rowCount ?? 0;
  }
  return deleted;
}
