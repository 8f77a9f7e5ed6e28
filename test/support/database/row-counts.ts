import type pg from 'pg';

/** How many rows each table has of a workspace. Events of earlier writes are not counted: they leave by themselves. */
export async function rowCounts(pool: pg.Pool, workspaceId: string): Promise<Record<string, number>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    if (name === 'outbox') continue;
    const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name} WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    counts[name] = rows[0]!.n;
  }
  return counts;
}
