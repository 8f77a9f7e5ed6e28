import type { Tx } from '#kernel/db/transaction.js';

/**
 * Returns the SQL condition that an entity was not erased. An erased entity has its own id as canonical id, which
 * excludes it from every list and look-up, and makes a process that has cached it look it up again.
 * @param entity name or alias of the row of `entities`.
 */
export const notErasedSql = (entity: string) => `${entity}.canonical_id IS DISTINCT FROM ${entity}.id`;

/** Marks these entities as erased: without a name, a cluster and identifiers. They must be locked. */
export async function markErased(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    'UPDATE entities SET canonical_id = id, name = NULL, name_key = NULL WHERE workspace_id = $1 AND id = ANY ($2)',
    [tx.workspace, ids],
  );
  await tx.query('DELETE FROM name_words WHERE workspace_id = $1 AND entity_id = ANY ($2)', [tx.workspace, ids]);
}

/** Returns whether the person with this id was erased. */
export async function isErased(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM entities WHERE workspace_id = $1 AND id = $2 AND canonical_id = id', [
    tx.workspace,
    id,
  ]);
  return rows.length > 0;
}
