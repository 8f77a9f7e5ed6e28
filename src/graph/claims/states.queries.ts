import { uuidList } from '#kernel/db/binary-list.js';
import { statement } from '#kernel/db/statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ClustersMoved } from '../identity/clusters-moved.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type ClaimKey, type KeptClaim, type KeptClaimRow, toKeptClaim } from './claims.queries.js';

/** The canonical id of each entity that is there, null where it is its own; in the one row that is no claim. */
const CLUSTERS = `
  SELECT NULL, NULL, NULL, json_object_agg(id, canonical_id) FROM entities
  WHERE workspace_id = $1 AND id = ANY ($4::uuid[])`;

/** Whatever these entities have of these properties. */
const BY_LISTS = statement(
  `SELECT entity_id, property, state, NULL::json AS clusters FROM claims
   WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND property = ANY ($3::text[])
   UNION ALL ${CLUSTERS}`,
);

const BY_PAIRS = statement(
  `SELECT entity_id, property, claim.state, NULL::json AS clusters
   FROM unnest($2::uuid[], $3::text[]) AS requested (entity_id, property)
   JOIN LATERAL (
     SELECT state FROM claims c
     WHERE c.workspace_id = $1 AND c.entity_id = requested.entity_id AND c.property = requested.property OFFSET 0
   ) claim ON true
   UNION ALL ${CLUSTERS}`,
);

/**
 * So many pairs may lists make for each that is wanted: by itself one is found in a third more of the server's time, but
 * what nobody wants takes time as well.
 */
const PAIRS_OF_LISTS = 2;

/**
 * The kept states of these claims, in no order; what has never been folded is missing. One statement, which also sees
 * whether an owner belongs to another cluster by now: whoever waited for a lock may have waited for a merge.
 * One of them may be named twice, as it was met at different times: each has to be right.
 * @throws ClustersMoved
 */
export async function readStates(
  tx: Tx,
  keys: readonly ClaimKey[],
  owners: readonly Owner[] = [],
): Promise<KeptClaim[]> {
  const wanted = propertiesByEntity(keys);
  const properties = new Set(keys.map(key => key.property));
  const byLists = wanted.size * properties.size <= keys.length * PAIRS_OF_LISTS;
  const rows = await tx.query<KeptClaimRow & ClustersRow>(byLists ? BY_LISTS : BY_PAIRS, [
    tx.workspace,
    uuidList(byLists ? [...wanted.keys()] : keys.map(key => key.entityId)),
    byLists ? [...properties] : keys.map(key => key.property),
    uuidList([...new Set(owners.map(owner => owner.id))]),
  ]);
  const clusters = rows.find(row => row.property === null)!.clusters ?? {};
  if (!owners.every(owner => isStillIn(clusters, owner))) throw new ClustersMoved();
  return rows.filter(row => wanted.get(row.entity_id)?.has(row.property)).map(toKeptClaim);
}

type Clusters = Readonly<Record<string, string | null>>;

interface ClustersRow {
  readonly clusters: Clusters | null;
}

function isStillIn(clusters: Clusters, { id, canonicalId }: Owner): boolean {
  const now = clusters[id];
  return now !== undefined && (now ?? id) === canonicalId;
}

function propertiesByEntity(keys: readonly ClaimKey[]): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { entityId, property } of keys) {
    const properties = wanted.get(entityId);
    if (properties) properties.add(property);
    else wanted.set(entityId, new Set([property]));
  }
  return wanted;
}
