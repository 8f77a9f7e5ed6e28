import type { ContactFacts } from '#sdk/events.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Who of these entities is a person, with the address that was known first. One statement. */
export async function readContacts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, ContactFacts>> {
  const rows = await tx.query<ContactFacts>(
    `SELECT id AS entity_id, name,
       (SELECT value FROM identifiers WHERE workspace_id = $1 AND entity_id = entities.id AND kind = 'email'
        ORDER BY first_seen, key LIMIT 1) AS email
     FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND type = 'person'`,
    [tx.workspace, ids],
  );
  return new Map(rows.map(row => [row.entity_id, row]));
}
