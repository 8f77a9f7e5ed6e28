import { toIdentifier, type PreciseFocus } from '#domain/identity/focus.js';
import type { Instant } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type StoredClaim, type StoredClaimRow, toStoredClaim } from '../claims/claims.queries.js';
import { ClusterChangedError, toLockKey } from '../identity/entity-locks.js';
import { notErasedSql } from '../identity/erased.queries.js';
import { type IdentifierKey, identifierKey, entityIdKey, type Owner } from '../identity/identifiers.queries.js';

/** An entity that a batch refers to. */
export interface EntityLookup {
  readonly focus: PreciseFocus;
  /** The claims that the batch may change. */
  readonly properties: readonly string[];
}

/** The entities that a batch refers to, as far as they exist. */
export interface FoundEntities {
  /** Null if the entity does not exist. */
  readonly owners: ReadonlyMap<IdentifierKey, Owner | null>;
  /** Undefined if an entity does not exist; then none is locked. */
  readonly locked: LockedEntities | undefined;
}

/** Entities that are locked against other writers until the transaction ends. */
export interface LockedEntities {
  /** Database time after the locks were granted; every earlier writer of these entities began before it. */
  readonly lockedAt: Instant;
  /** Stored states of the requested claims, in no order. */
  readonly states: readonly StoredClaim[];
}

/** Returns a FROM clause for the owners of identifiers and ids, which are passed as parallel text arrays from $2 on. */
const ownersSql = (...lists: readonly string[]) => `
  unnest(${lists.map((_, i) => `$${i + 2}::text[]`).join(', ')}) WITH ORDINALITY AS requested (${lists.join(', ')}, n)
  JOIN LATERAL (
    SELECT entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = requested.kind AND i.key = requested.key
    UNION ALL
    SELECT requested.key::uuid WHERE requested.kind = 'uuid' OFFSET 0
  ) identifier ON true
  JOIN LATERAL (
    SELECT id, coalesce(canonical_id, id) AS canonical_id FROM entities e
    WHERE e.workspace_id = $1 AND e.id = identifier.entity_id AND ${notErasedSql('e')} OFFSET 0
  ) owner ON true`;

/** The same key as `toLockKey`, in SQL. */
const LOCK_KEY_SQL = `('x' || substr(canonical_id::text, 20, 4) || substr(canonical_id::text, 25))::bit(64)::bigint`;

const LOCK_IF_ALL_FOUND = prepare(
  `WITH found AS MATERIALIZED (
     SELECT ${LOCK_KEY_SQL} AS key FROM ${ownersSql('kind', 'key')} ORDER BY key
   )
   SELECT count(pg_advisory_xact_lock(key)), string_agg(key::text, ' ') AS keys, clock_timestamp() AS at
   FROM found WHERE (SELECT count(*) FROM found) = cardinality($2::text[])`,
);

const READ_STATES = prepare(
  `SELECT n::integer, owner.id, owner.canonical_id AS entity_id, property, state
   FROM ${ownersSql('kind', 'key', 'properties')}
   LEFT JOIN LATERAL (
     SELECT property, state FROM claims c
     WHERE c.workspace_id = $1 AND c.entity_id = owner.canonical_id
       AND c.property = ANY (string_to_array(requested.properties, ' ')) OFFSET 0
   ) claim ON true`,
);

type Row = StoredClaimRow & { readonly n: number; readonly id: string };

/**
 * Finds entities and, if all of them exist, locks them and reads their claims. Two statements share one round trip; the
 * second one repeats the look-up after the locks were granted.
 * @throws ClusterChangedError if an entity was merged or unmerged while this waited for its lock.
 */
export async function findAndLock(tx: Tx, lookups: readonly EntityLookup[]): Promise<FoundEntities> {
  const named = lookups.map(({ focus }) => toLookupKey(focus));
  const params = [tx.workspace, named.map(({ kind }) => kind), named.map(({ key }) => key)];
  const [[lock], rows] = await Promise.all([
    tx.query<{ keys: string | null; at: Instant }>(LOCK_IF_ALL_FOUND, params),
    tx.query<Row>(READ_STATES, [...params, lookups.map(({ properties }) => properties.join(' '))]),
  ]);
  const owners = new Map<IdentifierKey, Owner | null>(named.map(({ ownerKey }) => [ownerKey, null]));
  for (const { n, id, entity_id: canonicalId } of rows) owners.set(named[n - 1]!.ownerKey, { id, canonicalId });
  const { keys, at: lockedAt } = lock!;
  if (keys === null) return { owners, locked: undefined };
  if (!areAllLocked([...owners.values()], keys)) throw new ClusterChangedError();
  return { owners, locked: { lockedAt, states: rows.filter(row => row.property !== null).map(toStoredClaim) } };
}

/** Ids are looked up as a kind of their own. */
function toLookupKey(focus: PreciseFocus): { kind: string; key: string; ownerKey: IdentifierKey } {
  if (focus.form === 'uuid') return { kind: 'uuid', key: focus.id, ownerKey: entityIdKey(focus.id) };
  const identifier = toIdentifier(focus);
  return { kind: identifier.kind, key: identifier.key, ownerKey: identifierKey(identifier) };
}

function areAllLocked(owners: readonly (Owner | null)[], keys: string): boolean {
  const locked = new Set(keys.split(' '));
  return owners.every(owner => owner !== null && locked.has(String(toLockKey(owner.canonicalId))));
}
