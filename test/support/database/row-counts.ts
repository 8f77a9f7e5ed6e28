import type pg from 'pg';

/** Kept up in the background: events leave by themselves, and counters of requests come after them. */
const BACKGROUND_TABLES: ReadonlySet<string> = new Set(['outbox', 'usage_counters']);

/** Counts the rows of a workspace in each table, apart from those that change in the background. */
export async function rowCounts(pool: pg.Pool, workspaceId: string): Promise<Record<string, number>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    if (BACKGROUND_TABLES.has(name)) continue;
    const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name} WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    counts[name] = rows[0]!.n;
  }
  return counts;
}
