import type { Tx } from '#kernel/db/transaction.js';
import { keptShape } from '../lists/kept-shapes.js';

/** A claim that an item rests on. */
export interface ClaimKey {
  readonly entityId: string;
  readonly property: string;
}

/** The observations that these claims rest on, by `<entity> <property>`. One statement. */
export async function readRefs(tx: Tx, keys: readonly ClaimKey[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ entity_id: string; property: string; ref: string }>(
    keptShape(`SELECT wanted.entity_id, wanted.property, claim.ref
     FROM unnest($2::uuid[], $3::text[]) AS wanted (entity_id, property)
     JOIN LATERAL (
       SELECT c.ref FROM claims c
       WHERE c.workspace_id = $1 AND c.entity_id = wanted.entity_id AND c.property = wanted.property OFFSET 0
     ) claim ON true`),
    [tx.workspace, keys.map(key => key.entityId), keys.map(key => key.property)],
  );
  return new Map(rows.map(({ entity_id, property, ref }) => [`${entity_id} ${property}`, ref]));
}
