import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey } from '../claims/claims.queries.js';

const READ_CLAIM_REFS = prepare(
  `SELECT requested.entity_id, requested.property, claim.top_observation_id
   FROM unnest($2::uuid[], $3::text[]) AS requested (entity_id, property)
   JOIN LATERAL (
     SELECT c.top_observation_id FROM claims c
     WHERE c.workspace_id = $1 AND c.entity_id = requested.entity_id AND c.property = requested.property OFFSET 0
   ) claim ON true`,
);

/** Reads the IDs of the top observations of these claims, by `<entity> <property>`. One statement. */
export async function readClaimRefs(tx: Tx, keys: readonly ClaimKey[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ entity_id: string; property: string; top_observation_id: string }>(READ_CLAIM_REFS, [
    tx.workspace,
    keys.map(key => key.entityId),
    keys.map(key => key.property),
  ]);
  return new Map(rows.map(row => [`${row.entity_id} ${row.property}`, row.top_observation_id]));
}
