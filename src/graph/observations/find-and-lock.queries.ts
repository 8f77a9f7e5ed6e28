import { toIdentifier, type PreciseFocus } from '#domain/identity/focus.js';
import type { Instant } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type StoredClaim, type StoredClaimRow, toStoredClaim } from '../claims/claims.queries.js';
import { ClusterChangedError } from '../identity/cluster-changed.error.js';
import { type IdentifierKey, identifierKey, entityIdKey, type Owner } from '../identity/identifiers.queries.js';
import { toLockKey } from '../identity/lock-number.js';

/** Somebody whom a batch is about, named once. */
export interface EntityLookup {
  readonly focus: PreciseFocus;
  /** The claims that the batch may touch. */
  readonly properties: readonly string[];
}

/** What is there of those whom a batch is about. */
export interface FoundEntities {
  /** Null where nobody is. */
  readonly owners: ReadonlyMap<IdentifierKey, Owner | null>;
  /** Undefined where somebody is missing: then nobody is locked. */
  readonly locked: LockedEntities | undefined;
}

/** Entities that nobody else can write about until the transaction ends. */
export interface LockedEntities {
  /** When they had been locked: whoever wrote about them before began before this. */
  readonly lockedAt: Instant;
  /** What is kept of the claims that were asked for, in no order. */
  readonly states: readonly StoredClaim[];
}

/** Whose the identifiers and ids are that the lists of these names, from $2 on, hold beside each other. */
const ownersSql = (...lists: readonly string[]) => `
  unnest(${lists.map((_, i) => `$${i + 2}::text[]`).join(', ')}) WITH ORDINALITY AS requested (${lists.join(', ')}, n)
  JOIN LATERAL (
    SELECT entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = requested.kind AND i.key = requested.key
    UNION ALL
    SELECT requested.key::uuid WHERE requested.kind = 'uuid' OFFSET 0
  ) identifier ON true
  JOIN LATERAL (
    SELECT id, coalesce(canonical_id, id) AS canonical_id FROM entities e
    WHERE e.workspace_id = $1 AND e.id = identifier.entity_id OFFSET 0
  ) owner ON true`;

/** What `lockNumberOf` gives. */
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
 * Finds these entities and, if all of them are there, locks them and reads what is kept of their claims: two statements
 * that share a round trip. The second one looks everybody up again, once the locks have been granted.
 * @throws ClustersMoved when one was merged or unmerged while this waited for it.
 */
export async function findAndLock(tx: Tx, lookups: readonly EntityLookup[]): Promise<FoundEntities> {
  const named = lookups.map(({ focus }) => toLookupKey(focus));
  const params = [tx.workspace, named.map(({ kind }) => kind), named.map(({ key }) => key)];
  const [[lock], rows] = await Promise.all([
    tx.query<{ keys: string | null; at: Instant }>(LOCK_IF_ALL_FOUND, params),
    tx.query<Row>(READ_STATES, [...params, lookups.map(({ properties }) => properties.join(' '))]),
  ]);
  const owners = new Map<IdentifierKey, Owner | null>(named.map(({ handle }) => [handle, null]));
  for (const { n, id, entity_id: canonicalId } of rows) owners.set(named[n - 1]!.handle, { id, canonicalId });
  const { keys, at: lockedAt } = lock!;
  if (keys === null) return { owners, locked: undefined };
  if (!areAllLocked([...owners.values()], keys)) throw new ClusterChangedError();
  return { owners, locked: { lockedAt, states: rows.filter(row => row.property !== null).map(toStoredClaim) } };
}

/** An id is a kind of its own. */
function toLookupKey(focus: PreciseFocus): { kind: string; key: string; handle: IdentifierKey } {
  if (focus.form === 'uuid') return { kind: 'uuid', key: focus.id, handle: entityIdKey(focus.id) };
  const identifier = toIdentifier(focus);
  return { kind: identifier.kind, key: identifier.key, handle: identifierKey(identifier) };
}

function areAllLocked(owners: readonly (Owner | null)[], keys: string): boolean {
  const locked = new Set(keys.split(' '));
  return owners.every(owner => owner !== null && locked.has(String(toLockKey(owner.canonicalId))));
}
