import type { Database } from '#kernel/db/database.js';
import type { Sent } from './statements.js';

/** A node of a plan as PostgreSQL tells it, with what it did. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The plan of a statement, run as it was: as the app, in the workspace. Its nodes, the root first; nothing is kept. */
export async function explainPlan({ pool }: Database, { sql, values }: Sent, workspace: string): Promise<PlanNode[]> {
  const client = await pool.connect();
  try {
    await client.query(
      `BEGIN; SELECT set_config('role', 'rapport_app', true), set_config('app.workspace_id', '${workspace}', true)`,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      values as unknown[],
    );
    return flatten(rows[0]!['QUERY PLAN'][0].Plan);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
