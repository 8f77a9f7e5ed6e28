import type { JsonValue } from '#domain/observation/observation.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Known data of the entity that a text is about. */
export interface SubjectContext {
  readonly type: 'person' | 'company';
  readonly name: string | null;
  /** The value of its claim `company`. */
  readonly company: JsonValue;
}

const READ_SUBJECT = prepare(
  `SELECT e.type, e.name, c.value AS company FROM entities e
   LEFT JOIN claims c ON c.workspace_id = $1 AND c.entity_id = e.id AND c.property = 'company'
   WHERE e.workspace_id = $1 AND e.id = $2`,
);

/** Reads the context of an entity by its canonical ID. */
export async function readSubjectContext(tx: Tx, entityId: string): Promise<SubjectContext | undefined> {
  const [row] = await tx.query<SubjectContext>(READ_SUBJECT, [tx.workspace, entityId]);
  return row;
}

/** Reads property and external ID of these observations. */
export function readObservationKeys(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; property: string; external_id: string | null }[]> {
  return tx.query('SELECT id, property, external_id FROM observations WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    ids,
  ]);
}
