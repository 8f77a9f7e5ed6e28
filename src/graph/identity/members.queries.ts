import type { Tx } from '#kernel/db/transaction.js';

/**
 * Returns SQL for the ids of the cluster with the canonical id `$n`: itself and all entities merged into it. Used in
 * statements that read the log or the identifiers of a whole cluster. `$1` is the workspace.
 */
export const membersSql = (n: number) =>
  `SELECT $${n}::uuid AS id UNION ALL SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id = $${n}`;

/** Returns SQL as {@link membersSql}, for a column that holds a canonical id, in a lateral join. */
export const membersOfSql = (column: string) =>
  `SELECT ${column} AS id UNION ALL SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = ${column}`;

/** Returns the ids of the members of a cluster, the canonical id first. */
export async function readMemberIds(tx: Tx, canonicalId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(membersSql(2), [tx.workspace, canonicalId]);
  return [canonicalId, ...rows.flatMap(({ id }) => (id === canonicalId ? [] : [id])).toSorted()];
}
