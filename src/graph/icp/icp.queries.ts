import type { Tx } from '#kernel/db/transaction.js';

/** Maximum number of newest leads that a model is tried on. */
export const SAMPLE_SIZE = 200;

/** Reads the canonical IDs of the people of the newest leads, or of the newest people if there are no leads. */
export async function readNewestLeads(tx: Tx): Promise<string[]> {
  const leads = await tx.query<{ id: string }>(
    `SELECT DISTINCT coalesce(e.canonical_id, e.id) AS id
     FROM (SELECT entity_id FROM leads WHERE workspace_id = $1 ORDER BY id DESC LIMIT ${SAMPLE_SIZE}) AS l
     JOIN entities e ON e.workspace_id = $1 AND e.id = l.entity_id`,
    [tx.workspace],
  );
  if (leads.length > 0) return leads.map(({ id }) => id);
  const people = await tx.query<{ id: string }>(
    `SELECT id FROM entities WHERE workspace_id = $1 AND type = 'person' AND canonical_id IS NULL
     ORDER BY id DESC LIMIT ${SAMPLE_SIZE}`,
    [tx.workspace],
  );
  return people.map(({ id }) => id);
}
