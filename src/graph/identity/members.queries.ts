import type { Tx } from '#kernel/db/transaction.js';

/**
 * SQL for the ids of the cluster whose canonical id is `$n`: itself and all that were merged into it. For the one
 * statement that reads a log or the identifiers of a whole cluster; `$1` is the workspace.
 */
export const membersSql = (n: number) =>
  `SELECT $${n}::uuid AS id UNION ALL SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id = $${n}`;

/** The same for a column that holds a canonical id, in a lateral join. */
export const membersOfSql = (column: string) =>
  `SELECT ${column} AS id UNION ALL SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = ${column}`;

/** The ids of a cluster, the canonical one first; it alone when nothing was merged into it. */
export async function readMemberIds(tx: Tx, canonicalId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(membersSql(2), [tx.workspace, canonicalId]);
  return [canonicalId, ...rows.flatMap(({ id }) => (id === canonicalId ? [] : [id])).toSorted()];
}
