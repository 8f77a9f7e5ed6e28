import { AUTO_REPLY_SUBJECT } from '#domain/observation/interaction-events.js';
import type { JsonValue, StoredObservation } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare, toJsonText } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { lockEntities, toLockKeys } from '../identity/entity-locks.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { membersOfSql, membersSql } from '../identity/links.queries.js';

/** An observation to append, with its entity and raw payload. */
export interface NewObservation extends StoredObservation {
  readonly entityId: string;
  /** Canonical id of the entity. The claims of the whole cluster are stored under it. */
  readonly clusterId: string;
  readonly raw: Record<string, JsonValue> | undefined;
}

/** Result of an append. */
export interface AppendResult {
  /** Ids of the inserted rows. */
  readonly ids: ReadonlySet<string>;
  /** Database time after the locks were granted; every earlier writer of these entities began before it. */
  readonly lockedAt: Instant;
}

const INSERT_COLUMNS =
  'workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, digest, raw, about_address';

const LOCK_AND_INSERT = prepare(
  `WITH locked AS MATERIALIZED (
     SELECT count(pg_advisory_xact_lock(key)) AS entities FROM unnest($2::bigint[]) AS key
   ), inserted AS (
     INSERT INTO observation_log (${INSERT_COLUMNS})
     SELECT $1, id, entity_id, kind, property, value, source, method, observed_at, $3::timestamptz, external_id,
       decode(digest, 'hex'), raw, about_address
     FROM locked, unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::jsonb[], $9::text[], $10::text[],
                         $11::timestamptz[], $12::text[], $13::text[], $14::json[], $15::text[])
       AS row (id, entity_id, kind, property, value, source, method, observed_at, external_id, digest, raw, about_address)
     ON CONFLICT DO NOTHING
     RETURNING id
   )
   SELECT string_agg(id::text, ' ') AS ids, clock_timestamp() AS at FROM inserted`,
);

/**
 * Locks the clusters until the transaction ends and appends rows to the log. Rows whose external id is already recorded
 * for the entity, source and property are skipped. Locking and inserting may share a statement because the insert reads
 * nothing; fold states must be read by a later statement, whose snapshot is taken after the locks were granted.
 */
export async function lockAndAppend(tx: Tx, rows: EncodedRows, owners: readonly Owner[]): Promise<AppendResult> {
  const canonicalIds = owners.map(owner => owner.canonicalId);
  if (rows.count === 0) return { ids: new Set(), lockedAt: await lockEntities(tx, canonicalIds) };
  const params = [tx.workspace, toLockKeys(canonicalIds), ...rows.columns];
  const [added] = await tx.query<{ ids: string | null; at: Instant }>(LOCK_AND_INSERT, params);
  return { ids: new Set(added!.ids?.split(' ')), lockedAt: added!.at };
}

const INSERT = prepare(
  `INSERT INTO observation_log (${INSERT_COLUMNS})
   SELECT $1, id, entity_id, kind, property, value, source, method, observed_at, $2::timestamptz, external_id,
     decode(digest, 'hex'), raw, about_address
   FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::text[],
               $10::timestamptz[], $11::text[], $12::text[], $13::json[], $14::text[])
     AS row (id, entity_id, kind, property, value, source, method, observed_at, external_id, digest, raw, about_address)`,
);

/** Appends rows without external ids, all of which are new. Their clusters are locked. Sent with COMMIT. */
export async function appendAtCommit(tx: Tx, rows: readonly NewObservation[]): Promise<void> {
  if (rows.length > 0) tx.deferToCommit(INSERT, [tx.workspace, ...(await encodeRows(rows)).columns]);
}

/** Rows of the log as parameters of an insert. */
export interface EncodedRows {
  readonly count: number;
  /** The time of receipt, then one list per column. */
  readonly columns: readonly unknown[];
}

/** Encodes rows of one batch, which have the same time of receipt. */
export async function encodeRows(rows: readonly NewObservation[]): Promise<EncodedRows> {
  const values = await mapYielding(rows, row => toJsonText(row.value));
  const raws = await mapYielding(rows, row => toJsonText(row.raw));
  const columns = [
    rows[0] && toIso(rows[0].recordedAt),
    rows.map(row => row.id),
    rows.map(row => row.entityId),
    rows.map(row => row.kind),
    rows.map(row => row.property),
    values,
    rows.map(row => row.source),
    rows.map(row => row.method),
    rows.map(row => toIso(row.observedAt)),
    rows.map(row => row.externalId),
    rows.map(row => row.digest),
    raws,
    rows.map(row => row.aboutAddress ?? null),
  ];
  return { count: rows.length, columns };
}

/** Returns the current time of the database clock, not the time of BEGIN. */
export async function databaseNow(tx: Tx): Promise<Instant> {
  const [row] = await tx.query<{ at: Instant }>('SELECT clock_timestamp() AS at');
  return row!.at;
}

/** An existing row with the external id of a new one. */
export interface KnownObservation {
  readonly id: string;
  readonly digest: Buffer;
  readonly observed_at: Instant;
}

/** Returns the rows that already have the external ids of these observations, in the same order. */
export async function findLoggedObservations(
  tx: Tx,
  rows: readonly NewObservation[],
): Promise<(KnownObservation | undefined)[]> {
  const found = await tx.query<KnownObservation & { n: number }>(
    `SELECT requested.n, existing.id, existing.digest, existing.observed_at
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
       AS requested (entity_id, source, external_id, property, n)
     JOIN observations existing ON existing.workspace_id = $1 AND existing.entity_id = requested.entity_id
       AND existing.source = requested.source AND existing.external_id = requested.external_id AND existing.property = requested.property`,
    [
      tx.workspace,
      rows.map(row => row.entityId),
      rows.map(row => row.source),
      rows.map(row => row.externalId),
      rows.map(row => row.property),
    ],
  );
  const byIndex = new Map(found.map(row => [row.n - 1, row]));
  return rows.map((_, i) => byIndex.get(i));
}

/** The part of the log that a claim is folded from. */
export interface HistoryQuery {
  /** Canonical id: the log of every member of the cluster counts. */
  readonly entityId: string;
  /** The state property, and the events that imply it. */
  readonly logProperties: readonly string[];
}

/** Limits up to which the log is read. Default: all of it. */
export interface LogHorizon {
  /** Valid time: excludes observations with a later `observed_at`. */
  readonly asOf?: Instant;
  /** System time: excludes observations that were recorded later. */
  readonly knownAt?: Instant;
}

/** A row of the log with the canonical id of its entity. */
export interface ObservationRow {
  readonly cluster_id: string;
  readonly id: string;
  readonly kind: StoredObservation['kind'];
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly method: string;
  readonly observed_at: Instant;
  readonly recorded_at: Instant;
  readonly external_id: string | null;
  readonly digest: Buffer;
  readonly about_address: string | null;
}

const SELECT_COLUMNS =
  'id, kind, property, value, source, method, observed_at, recorded_at, external_id, digest, about_address';

const READ_HISTORY = prepare(
  `SELECT cluster_id, ${SELECT_COLUMNS}
   FROM (SELECT DISTINCT * FROM unnest($2::uuid[], $3::text[]) AS pair (cluster_id, property_name)) AS requested
   JOIN LATERAL (${membersOfSql('cluster_id')} OFFSET 0) member (entity_id) ON true
   JOIN LATERAL (
     SELECT ${SELECT_COLUMNS} FROM observations o
     WHERE o.workspace_id = $1 AND o.entity_id = member.entity_id AND o.property = property_name OFFSET 0
   ) log ON true`,
);

/** Returns the logged observations of these clusters and properties, in no order, by canonical id. One statement. */
export async function readPropertyHistory(
  tx: Tx,
  queries: readonly HistoryQuery[],
): Promise<Map<string, StoredObservation[]>> {
  const pairs = queries.flatMap(query => query.logProperties.map(property => [query.entityId, property] as const));
  const rows = await tx.query<ObservationRow>(READ_HISTORY, [
    tx.workspace,
    pairs.map(([entityId]) => entityId),
    pairs.map(([, property]) => property),
  ]);
  return new Map([...Map.groupBy(rows, row => row.cluster_id)].map(([id, own]) => [id, own.map(toObservation)]));
}

/**
 * Locks the next clusters of the workspace by canonical id and returns the whole log of each.
 * @param sample selects one percent of the clusters; another text gives another sample. Default: all of them.
 */
export async function readLogPage(
  tx: Tx,
  after: string | null,
  limit: number,
  sample?: string,
): Promise<Map<string, StoredObservation[]>> {
  const entities = await tx.query<{ id: string }>(
    `SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL AND ($2::uuid IS NULL OR id > $2)
       AND ($4::text IS NULL OR hashtext($4 || id::text) % 100 = 0)
     ORDER BY id LIMIT $3`,
    [tx.workspace, after, limit, sample ?? null],
  );
  const ids = entities.map(({ id }) => id);
  await lockEntities(tx, ids);
  return readLogs(tx, ids);
}

/** Returns the active observations of each of these clusters, given by canonical id, in no order. One statement. */
export async function readLogs(tx: Tx, ids: readonly string[]): Promise<Map<string, StoredObservation[]>> {
  const rows = await tx.query<ObservationRow>(
    `WITH members AS (
       SELECT id AS cluster_id, id AS entity_id FROM entities
       WHERE workspace_id = $1 AND id = ANY ($2) AND canonical_id IS NULL
       UNION ALL
       SELECT canonical_id, id FROM entities WHERE workspace_id = $1 AND canonical_id = ANY ($2)
     )
     SELECT cluster_id, ${SELECT_COLUMNS} FROM members JOIN observations USING (entity_id) WHERE workspace_id = $1`,
    [tx.workspace, ids],
  );
  const logs = Map.groupBy(rows, row => row.cluster_id);
  return new Map(ids.map(id => [id, (logs.get(id) ?? []).map(toObservation)]));
}

/**
 * Returns SQL that a row of `observation_log` was known at a time: recorded by then, and not yet retracted. Readers of
 * the present read the view `observations` instead.
 * @param row SQL alias of the row, with a dot; empty if its columns are unambiguous.
 * @param at SQL of the time.
 */
export const knownAtSql = (row: '' | `${string}.`, at: string) =>
  `${row}recorded_at <= ${at} AND (${row}retracted_at IS NULL OR ${row}retracted_at > ${at})`;

/** Returns SQL that tests whether the details of an event say that a machine sent it. @param value SQL of the details. */
export const automaticSql = (value: string) => `(jsonb_typeof(${value}) = 'object' AND
  coalesce(${value} ->> 'auto_reply', ${value} ->> 'automatic', ${value} ->> 'is_auto_reply', 'false') IN ('true', 'yes')
  OR jsonb_typeof(${value}) = 'object' AND coalesce(${value} ->> 'subject', '') ~* '${AUTO_REPLY_SUBJECT}')`;

/** Returns the whole log of a cluster within a horizon, in no order. */
export async function readLog(tx: Tx, clusterId: string, { asOf, knownAt }: LogHorizon): Promise<StoredObservation[]> {
  const rows = await tx.query<ObservationRow>(
    `SELECT ${SELECT_COLUMNS} FROM observation_log
     WHERE workspace_id = $1 AND entity_id IN (${membersSql(2)})
       AND observed_at <= coalesce($3, 'infinity'::timestamptz)
       AND ${knownAtSql('', "coalesce($4, 'infinity'::timestamptz)")}`,
    [tx.workspace, clusterId, asOf === undefined ? null : toIso(asOf), knownAt === undefined ? null : toIso(knownAt)],
  );
  return rows.map(toObservation);
}

/** Converts a row of the log. */
export function toObservation(row: ObservationRow): StoredObservation {
  return {
    id: row.id,
    kind: row.kind,
    property: row.property,
    value: row.value,
    source: row.source,
    method: row.method,
    observedAt: row.observed_at,
    recordedAt: row.recorded_at,
    externalId: row.external_id,
    digest: row.digest.toString('hex'),
    aboutAddress: row.about_address,
  };
}
