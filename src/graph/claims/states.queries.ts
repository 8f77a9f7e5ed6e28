import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ClusterChangedError } from '../identity/entity-locks.js';
import { notErasedSql } from '../identity/erased.queries.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type ClaimKey, type StoredClaim, type StoredClaimRow, toStoredClaims } from './claims.queries.js';

/**
 * The canonical ids of entities, null for those that are canonical themselves; erased people are missing. Returned as
 * one row that is no claim.
 */
const CLUSTERS_SQL = `
  SELECT NULL, NULL, NULL, json_object_agg(id, canonical_id) FROM entities
  WHERE workspace_id = $1 AND id = ANY ($4::uuid[]) AND ${notErasedSql('entities')}`;

/** All claims with one of these entities and one of these properties. */
const READ_BY_LISTS = prepare(
  `SELECT entity_id, property, state, NULL::json AS clusters FROM claims
   WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND property = ANY ($3::text[])
   UNION ALL ${CLUSTERS_SQL}`,
);

const READ_BY_PAIRS = prepare(
  `SELECT entity_id, property, claim.state, NULL::json AS clusters
   FROM unnest($2::uuid[], $3::text[]) AS requested (entity_id, property)
   JOIN LATERAL (
     SELECT state FROM claims c
     WHERE c.workspace_id = $1 AND c.entity_id = requested.entity_id AND c.property = requested.property OFFSET 0
   ) claim ON true
   UNION ALL ${CLUSTERS_SQL}`,
);

/**
 * Maximum of entity and property combinations per requested key for the query by lists. Per claim it takes a third less
 * server time than pairs, but claims that were not requested cost time as well.
 */
const MAX_PAIRS_PER_KEY = 2;

/**
 * Returns the stored states of these claims, in no order; claims that were never folded are missing. The one statement
 * also detects whether an owner now belongs to another cluster, because waiting for a lock may mean waiting for a
 * merge. An owner may occur twice, looked up at different times: each must be unchanged.
 * @throws ClusterChangedError if an owner was merged or unmerged since it was looked up.
 */
export async function readStates(
  tx: Tx,
  keys: readonly ClaimKey[],
  owners: readonly Owner[] = [],
): Promise<StoredClaim[]> {
  const requested = groupPropertiesByEntity(keys);
  const properties = new Set(keys.map(key => key.property));
  const byLists = requested.size * properties.size <= keys.length * MAX_PAIRS_PER_KEY;
  const rows = await tx.query<StoredClaimRow & ClustersRow>(byLists ? READ_BY_LISTS : READ_BY_PAIRS, [
    tx.workspace,
    byLists ? [...requested.keys()] : keys.map(key => key.entityId),
    byLists ? [...properties] : keys.map(key => key.property),
    [...new Set(owners.map(owner => owner.id))],
  ]);
  const clusters = rows.find(row => row.property === null)!.clusters ?? {};
  if (!owners.every(owner => isUnchanged(clusters, owner))) throw new ClusterChangedError();
  return toStoredClaims(rows.filter(row => requested.get(row.entity_id)?.has(row.property)));
}

type ClusterIds = Readonly<Record<string, string | null>>;

interface ClustersRow {
  readonly clusters: ClusterIds | null;
}

function isUnchanged(clusters: ClusterIds, { id, canonicalId }: Owner): boolean {
  const now = clusters[id];
  return now !== undefined && (now ?? id) === canonicalId;
}

function groupPropertiesByEntity(keys: readonly ClaimKey[]): ReadonlyMap<string, ReadonlySet<string>> {
  const grouped = new Map<string, Set<string>>();
  for (const { entityId, property } of keys) {
    const properties = grouped.get(entityId);
    if (properties) properties.add(property);
    else grouped.set(entityId, new Set([property]));
  }
  return grouped;
}
