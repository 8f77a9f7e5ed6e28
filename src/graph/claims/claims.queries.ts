import { projectClaim } from '#domain/claims/fold.js';
import { EMPLOYER_PROPERTY, SAME_CALL_US } from '#domain/claims/doubt.js';
import {
  deserializeState,
  tryDeserializeState,
  serializeState,
  findPresentedTrack,
  type PropertyState,
} from '#domain/claims/property-state.js';
import { type Instant, toIsoOrNull } from '#domain/time/instant.js';
import { prepare, toJsonText, splitIntoStatements } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { ClusterChangedError } from '../identity/entity-locks.js';
import { notRemovedSql, type Owner } from '../identity/identifiers.queries.js';

/** Key of a claim: one per entity and property. */
export interface ClaimKey {
  readonly entityId: string;
  readonly property: string;
}

/** The stored fold state of one claim. */
export interface StoredClaim extends ClaimKey {
  readonly state: PropertyState;
}

/** A row of the claims table. */
export interface StoredClaimRow {
  readonly entity_id: string;
  readonly property: string;
  /** State as `serializeState` writes it. */
  readonly state: string;
}

/** Converts a row of the claims table. */
function toStoredClaim({ entity_id: entityId, property, state }: StoredClaimRow): StoredClaim {
  return { entityId, property, state: deserializeState(state) };
}

const READ_ENTITY_STATES = prepare(
  'SELECT entity_id, property, state FROM claims WHERE workspace_id = $1 AND entity_id = $2 ORDER BY property',
);

/** Returns every stored claim of one entity, ordered by property. */
export async function readEntityStates(tx: Tx, entityId: string): Promise<StoredClaim[]> {
  const rows = await tx.query<StoredClaimRow>(READ_ENTITY_STATES, [tx.workspace, entityId]);
  return toStoredClaims(rows);
}

/** Converts rows of the claims table and yields to other requests in between. */
export function toStoredClaims(rows: readonly StoredClaimRow[]): Promise<StoredClaim[]> {
  return mapYielding(rows, toStoredClaim, ({ state }) => ITEM_UNITS + state.length);
}

const UPSERT_STATES = prepare(
  `INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, number_value, confidence,
                       epistemic_class, supported_at, top_observation_id, next_change_at, tenure, sources)
   SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::float8[], $8::float8[],
                            $9::text[], $10::timestamptz[], $11::uuid[], $12::timestamptz[], $13::jsonb[], $14::jsonb[])
   ON CONFLICT (workspace_id, entity_id, property) DO UPDATE SET
     state = excluded.state, value = excluded.value, text_value = excluded.text_value,
     number_value = excluded.number_value, confidence = excluded.confidence,
     epistemic_class = excluded.epistemic_class, supported_at = excluded.supported_at,
     top_observation_id = excluded.top_observation_id, next_change_at = excluded.next_change_at,
     tenure = excluded.tenure, sources = excluded.sources, updated_at = now()`,
);

/**
 * Stores states, with the projection that lists filter and sort by. What one statement can carry is sent with COMMIT;
 * of more, all but the last part is sent at once.
 */
export async function upsertStates(tx: Tx, rules: ClaimRules, claims: readonly StoredClaim[]): Promise<void> {
  const parts = await encodeClaims(rules, claims);
  for (const part of parts.slice(0, -1)) await tx.query(UPSERT_STATES, toParams(tx, part));
  const last = parts.at(-1);
  if (last) tx.deferToCommit(UPSERT_STATES, toParams(tx, last));
}

/** Replaces all stored claims of these entities. */
export async function replaceStates(
  tx: Tx,
  rules: ClaimRules,
  entityIds: readonly string[],
  claims: readonly StoredClaim[],
): Promise<void> {
  await tx.query('DELETE FROM claims WHERE workspace_id = $1 AND entity_id = ANY ($2)', [tx.workspace, entityIds]);
  for (const part of await encodeClaims(rules, claims)) await tx.query(UPSERT_STATES, toParams(tx, part));
}

interface EncodedClaim {
  readonly claim: StoredClaim;
  readonly state: string;
  readonly projection: ReturnType<typeof projectClaim>;
  readonly value: string | null;
  /** Size of state and value. */
  readonly bytes: number;
}

/** Encodes claims, in parts that one statement can carry. */
async function encodeClaims(rules: ClaimRules, claims: readonly StoredClaim[]): Promise<EncodedClaim[][]> {
  const encoded = await mapYielding(claims, (claim): EncodedClaim => {
    const projection = projectClaim(rules, claim.property, claim.state);
    const [state, value] = [serializeState(claim.state), toJsonText(projection?.value)];
    const bytes = Buffer.byteLength(state) + Buffer.byteLength(value ?? '');
    return { claim, state, projection, value, bytes };
  });
  return [...splitIntoStatements(encoded, ({ bytes }) => bytes)];
}

function toParams(tx: Tx, encoded: readonly EncodedClaim[]): unknown[] {
  const projections = encoded.map(({ projection }) => projection);
  return [
    tx.workspace,
    encoded.map(({ claim }) => claim.entityId),
    encoded.map(({ claim }) => claim.property),
    encoded.map(({ state }) => state),
    encoded.map(({ value }) => value),
    projections.map(s => s?.textValue ?? null),
    projections.map(s => s?.numberValue ?? null),
    projections.map(s => s?.confidence ?? null),
    projections.map(s => s?.epistemicClass ?? null),
    projections.map(s => toIsoOrNull(s?.supportedAt)),
    projections.map(s => s?.topObservationId ?? null),
    encoded.map(({ claim }) => toIsoOrNull(claim.state.nextChangeAt)),
    projections.map(s => (s?.tenure ? toJsonText(s.tenure) : null)),
    projections.map(s => (s ? toJsonText(s.sources) : null)),
  ];
}

/**
 * Returns SQL that tests whether a fact is suspect at any age, as `findDoubt` decides.
 * @param claim SQL alias of the claim.
 * @param job SQL alias of the claim of the employer that the statement joins anyway; without it, each is looked up.
 */
export function doubtSql(claim: string, job?: string): string {
  const isOfEarlierJob =
    job === undefined
      ? `EXISTS (
    SELECT FROM claims job WHERE job.workspace_id = $1 AND job.entity_id = ${claim}.entity_id
      AND job.property = '${EMPLOYER_PROPERTY}' AND job.tenure IS NOT NULL AND ${earlierJobSql(claim, 'job')})`
      : `${job}.tenure IS NOT NULL AND ${earlierJobSql(claim, job)}`;
  return `(${claim}.tenure ? 'bounced' OR ${claim}.tenure -> 'by' IS NOT NULL AND ${isOfEarlierJob})`;
}

/**
 * Returns SQL that tests whether nobody has stated a fact for the present job.
 * @param claim SQL alias of the claim, whose tenure has the key `by`
 * @param job SQL alias of the claim of the employer, whose tenure is not null
 */
function earlierJobSql(claim: string, job: string): string {
  return `NOT EXISTS (
    SELECT FROM jsonb_array_elements(${claim}.tenure -> 'by') AS run
    WHERE (run ->> 1)::bigint >= (${job}.tenure ->> 'from')::bigint - ${SAME_CALL_US}
      OR ((run ->> 2)::bigint >= (${job}.tenure ->> 'from')::bigint - ${SAME_CALL_US}
        AND NOT (${job}.tenure -> 'not') ? (run ->> 0)))`;
}

/** A stored claim; its state is undefined if it is corrupt. */
export interface CheckedClaim extends ClaimKey {
  readonly state: PropertyState | undefined;
}

interface CheckedRow extends StoredClaimRow {
  readonly top_observation_id: string | null;
  readonly next_change_at: Instant | null;
}

/** Returns every claim stored under these canonical ids and under ids merged into them, which should have none. */
export async function readClusterStates(tx: Tx, canonicalIds: readonly string[]): Promise<CheckedClaim[]> {
  const rows = await tx.query<CheckedRow>(
    `SELECT c.entity_id, c.property, c.state, c.top_observation_id, c.next_change_at FROM entities e
     JOIN claims c ON c.workspace_id = $1 AND c.entity_id = e.id
     WHERE e.workspace_id = $1 AND (e.id = ANY ($2) OR e.canonical_id = ANY ($2))`,
    [tx.workspace, canonicalIds],
  );
  return rows.map(row => ({ entityId: row.entity_id, property: row.property, state: parseValidState(row) }));
}

/**
 * Returns the state of a row. A state that contradicts the columns next to it counts as corrupt, because other readers
 * use only these columns.
 */
function parseValidState({ state: text, top_observation_id, next_change_at }: CheckedRow): PropertyState | undefined {
  const state = tryDeserializeState(text);
  const isConsistent =
    top_observation_id === ((state && findPresentedTrack(state)?.newest.id) ?? null) &&
    next_change_at === state?.nextChangeAt;
  return isConsistent ? state : undefined;
}

/** Removes claims that no statement in the log supports. */
export async function removeStates(tx: Tx, keys: readonly ClaimKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `DELETE FROM claims c USING unnest($2::uuid[], $3::text[]) AS removed (entity_id, property)
     WHERE c.workspace_id = $1 AND c.entity_id = removed.entity_id AND c.property = removed.property`,
    [tx.workspace, keys.map(key => key.entityId), keys.map(key => key.property)],
  );
}

/**
 * The canonical ids of entities, null for those that are canonical themselves; erased people are missing. Returned as
 * one row that is no claim.
 */
const CLUSTERS_SQL = `
  SELECT NULL, NULL, NULL, json_object_agg(id, canonical_id) FROM entities
  WHERE workspace_id = $1 AND id = ANY ($4::uuid[]) AND ${notRemovedSql('entities')}`;

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
