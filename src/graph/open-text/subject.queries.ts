import type { Json } from '#domain/observation/observation.js';
import { statement } from '#kernel/db/statement.js';
import type { Tx } from '#kernel/db/transaction.js';

/** What is known of an entity that a text is about. */
export interface KnownSubject {
  readonly type: 'person' | 'company';
  readonly name: string | null;
  /** The value of its claim `company`. */
  readonly company: Json;
}

const READ_SUBJECT = statement(
  `SELECT e.type, e.name, c.value AS company FROM entities e
   LEFT JOIN claims c ON c.workspace_id = $1 AND c.entity_id = e.id AND c.property = 'company'
   WHERE e.workspace_id = $1 AND e.id = $2`,
);

/** The entity of a canonical id. */
export async function readSubject(tx: Tx, entityId: string): Promise<KnownSubject | undefined> {
  const [row] = await tx.query<KnownSubject>(READ_SUBJECT, [tx.workspace, entityId]);
  return row;
}

/** Which property and external id of the caller each of these rows has. */
export function readRecorded(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; property: string; external_id: string | null }[]> {
  return tx.query('SELECT id, property, external_id FROM observations WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    ids,
  ]);
}
