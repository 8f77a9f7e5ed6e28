import type { Actor } from '#domain/actor/actor.js';
import { IDENTIFYING_PROPERTIES, type StatedFact } from './stated-identifiers.js';
import { COMMIT_POSITION } from '#kernel/db/commit-positions.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type Instant, toIso } from '#domain/time/instant.js';

/** Sources of what the hub derives from statements, and retracts with them. */
const EMAIL_DOMAIN_SOURCE = 'system:email_domain';
const SCORE_SOURCE = 'system:score';

/** Rows that one page examines at most: the log has no index by source, which every write would have to maintain. */
const MAX_EXAMINED = 10_000;

/** A page of rows in the order of their ids. */
export interface SourcePage<Row> {
  readonly rows: readonly Row[];
  /** Id after which the next page begins; null at the end. */
  readonly next: string | null;
}

/**
 * Reads the next rows of a source. The rows are read in the order of their ids and only as far as they are needed.
 * @param condition SQL that rows meet, on the row `r`.
 */
async function readSourcePage<Row extends { readonly id: string }>(
  tx: Tx,
  table: 'observations' | 'notes' | 'leads',
  columns: string,
  source: string,
  { after, limit }: { readonly after: string; readonly limit: number },
  condition = 'true',
): Promise<SourcePage<Row>> {
  const nextRows = `SELECT * FROM ${table} WHERE workspace_id = $1 AND id > $2::uuid ORDER BY id LIMIT ${MAX_EXAMINED}`;
  const rows = await tx.query<Row>(
    `SELECT ${columns} FROM (${nextRows}) AS r WHERE r.source = $3 AND ${condition} ORDER BY r.id LIMIT $4`,
    [tx.workspace, after, source, limit],
  );
  if (rows.length === limit) return { rows, next: rows.at(-1)!.id };
  const [end] = await tx.query<{ count: number; last: string | null }>(
    `SELECT count(*)::int AS count, (array_agg(id ORDER BY id DESC))[1] AS last FROM (${nextRows}) AS r`,
    [tx.workspace, after],
  );
  return { rows, next: end!.count === MAX_EXAMINED ? end!.last : null };
}

/** An observation to retract. */
export interface RetractableRow extends StatedFact {
  readonly id: string;
  readonly entity_id: string;
  readonly recorded_at: Instant;
}

const RETRACTABLE_COLUMNS = 'r.id, r.entity_id, r.kind, r.property, r.value, r.recorded_at';
const IS_ABOUT_ERASED = `EXISTS (SELECT FROM entities e
  WHERE e.workspace_id = $1 AND e.id = r.entity_id AND e.canonical_id = e.id)`;

/** Nobody has worked the lead `r`. */
const IS_UNTOUCHED = `r.status = 'pending' AND r.step IS NULL AND r.sent_at IS NULL AND r.reply_outcome IS NULL`;

/** Reads the next active observations of a source, except those about erased people. */
export function readRetractable(
  tx: Tx,
  source: string,
  page: { readonly after: string; readonly limit: number },
): Promise<SourcePage<RetractableRow>> {
  return readSourcePage<RetractableRow>(
    tx,
    'observations',
    RETRACTABLE_COLUMNS,
    source,
    page,
    `NOT ${IS_ABOUT_ERASED}`,
  );
}

/**
 * Withdraws what the pages before have withdrawn about these entities: a dry run forgets its pages one by one, and an entity
 * can be on several.
 * @param after id of the last observation of the pages before
 * @returns their observations, which are not retracted yet
 */
export async function withdrawEarlier(
  tx: Tx,
  retractionId: string,
  source: string,
  entityIds: readonly string[],
  after: string,
): Promise<RetractableRow[]> {
  await tx.query(
    `DELETE FROM leads r WHERE workspace_id = $1 AND source = $2 AND entity_id = ANY ($3::uuid[]) AND ${IS_UNTOUCHED}`,
    [tx.workspace, source, entityIds],
  );
  await tx.query(
    `UPDATE note_log SET retracted_at = clock_timestamp(), retraction_id = $2::uuid
     WHERE workspace_id = $1 AND entity_id = ANY ($3::uuid[]) AND source = $4 AND retracted_at IS NULL`,
    [tx.workspace, retractionId, entityIds, source],
  );
  return tx.query<RetractableRow>(
    `SELECT ${RETRACTABLE_COLUMNS} FROM observations r
     WHERE r.workspace_id = $1 AND r.entity_id = ANY ($2::uuid[]) AND r.source = $3 AND r.id <= $4::uuid`,
    [tx.workspace, entityIds, source, after],
  );
}

/** Reads an active observation that is not about an erased person; undefined if there is none. */
export async function readRetractableById(
  tx: Tx,
  id: string,
): Promise<(RetractableRow & { readonly source: string }) | undefined> {
  const [row] = await tx.query<RetractableRow & { source: string }>(
    `SELECT ${RETRACTABLE_COLUMNS}, r.source FROM observations r
     WHERE r.workspace_id = $1 AND r.id = $2::uuid AND NOT ${IS_ABOUT_ERASED}`,
    [tx.workspace, id],
  );
  return row;
}

/**
 * Marks observations as retracted. Their position in the order of changes is that of the retraction.
 * @returns the ids of those that were not retracted before.
 */
export async function retractObservations(
  tx: Tx,
  retractionId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(
    `UPDATE observation_log SET ${RETRACTED}
     WHERE workspace_id = $1 AND id = ANY ($3::uuid[]) AND retracted_at IS NULL RETURNING id`,
    [tx.workspace, retractionId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

const RETRACTED = `retracted_at = clock_timestamp(), retraction_id = $2::uuid, commit_position = ${COMMIT_POSITION}`;

/**
 * Retracts what the hub derived from retracted observations: scores that were recorded since, and employers of addresses
 * that were first seen since, unless another statement has the address or was recorded with it.
 * @param rows the retracted observations.
 * @param began time of the first retracted observation of the source.
 * @returns the entities whose scores were retracted.
 */
export async function retractDerived(
  tx: Tx,
  retractionId: string,
  rows: readonly RetractableRow[],
  began: Instant,
): Promise<ReadonlySet<string>> {
  const retracted = await tx.query<{ entity_id: string; source: string }>(
    `UPDATE observation_log derived SET ${RETRACTED}
     FROM (SELECT entity_id, min(recorded_at) AS first
           FROM unnest($3::uuid[], $4::timestamptz[]) AS row (entity_id, recorded_at) GROUP BY entity_id) AS touched
     WHERE derived.workspace_id = $1 AND derived.entity_id = touched.entity_id AND derived.retracted_at IS NULL AND (
         derived.source = '${SCORE_SOURCE}' AND derived.recorded_at >= touched.first
         OR derived.source = '${EMAIL_DOMAIN_SOURCE}' AND derived.recorded_at >= $5::timestamptz AND NOT EXISTS (
           SELECT FROM observations other
           WHERE other.workspace_id = $1 AND other.entity_id = derived.entity_id AND (
             other.property IN ('email', 'emails') AND position('@' || (derived.value #>> '{}') IN other.value::text) > 0
             OR other.recorded_at = derived.recorded_at AND NOT starts_with(other.source, 'system:'))))
     RETURNING derived.entity_id, derived.source`,
    [tx.workspace, retractionId, rows.map(row => row.entity_id), rows.map(row => toIso(row.recorded_at)), toIso(began)],
  );
  return new Set(retracted.filter(({ source }) => source === SCORE_SOURCE).map(({ entity_id }) => entity_id));
}

/** Retracts what the hub derived about entities of which nothing else is left. */
export async function retractRemaining(tx: Tx, retractionId: string, entityIds: readonly string[]): Promise<void> {
  if (entityIds.length === 0) return;
  await tx.query(
    `UPDATE observation_log SET ${RETRACTED}
     WHERE workspace_id = $1 AND entity_id = ANY ($3::uuid[]) AND retracted_at IS NULL`,
    [tx.workspace, retractionId, entityIds],
  );
}

/** A note to retract. */
export interface RetractableNote {
  readonly id: string;
  readonly entity_id: string;
  readonly passages: number;
}

/** Reads the next notes of a source. */
export function readRetractableNotes(
  tx: Tx,
  source: string,
  page: { readonly after: string; readonly limit: number },
): Promise<SourcePage<RetractableNote>> {
  return readSourcePage<RetractableNote>(tx, 'notes', 'r.id, r.entity_id, r.passages', source, page);
}

/** Marks notes as retracted. */
export async function retractNotes(tx: Tx, retractionId: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE note_log SET retracted_at = clock_timestamp(), retraction_id = $2::uuid
     WHERE workspace_id = $1 AND id = ANY ($3::uuid[])`,
    [tx.workspace, retractionId, ids],
  );
}

/** A lead that a source added and nobody has worked. */
export interface RetractableLead {
  readonly id: string;
  readonly entity_id: string;
}

/** Reads the next leads of a source that nobody has worked. */
export function readRetractableLeads(
  tx: Tx,
  source: string,
  page: { readonly after: string; readonly limit: number },
): Promise<SourcePage<RetractableLead>> {
  return readSourcePage<RetractableLead>(tx, 'leads', 'r.id, r.entity_id', source, page, IS_UNTOUCHED);
}

/** Deletes leads. */
export async function deleteLeads(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM leads WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [tx.workspace, ids]);
}

/** Deletes the empty lists that a source created. @returns their ids. */
export async function deleteEmptyLists(tx: Tx, source: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `DELETE FROM lead_lists list WHERE workspace_id = $1 AND source = $2
       AND NOT EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.list_id = list.id)
     RETURNING id`,
    [tx.workspace, source],
  );
  return rows.map(({ id }) => id);
}

/** Returns the active observations of these entities that state identifiers. */
export function readIdentifyingFacts(
  tx: Tx,
  entityIds: readonly string[],
): Promise<(StatedFact & { readonly entity_id: string })[]> {
  return tx.query(
    `SELECT entity_id, kind, property, value FROM observations
     WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND kind = 'state'
       AND (property = ANY ($3::text[]) OR property LIKE '%\\_id')`,
    [tx.workspace, entityIds, IDENTIFYING_PROPERTIES],
  );
}

/** Returns those of these entities that have a scored lead. */
export async function findScored(tx: Tx, entityIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ entity_id: string }>(
    `SELECT DISTINCT entity_id FROM leads WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND scored_at IS NOT NULL`,
    [tx.workspace, entityIds],
  );
  return rows.map(row => row.entity_id);
}

/** A retraction: what was withdrawn, who did it and why. */
export interface RetractionRow {
  readonly id: string;
  readonly source: string;
  readonly reason: string | null;
  readonly actor_kind: Actor['kind'];
  readonly actor_id: string;
  readonly retracted_at: Instant;
  readonly observations: number;
  readonly notes: number;
}

/** Stores a retraction, or adds the counts of its next page to it. */
export async function saveRetraction(
  tx: Tx,
  retraction: Omit<RetractionRow, 'retracted_at' | 'actor_kind' | 'actor_id'> & { readonly actor: Actor },
): Promise<void> {
  const { id, source, reason, actor, observations, notes } = retraction;
  await tx.query(
    `INSERT INTO retractions AS r (workspace_id, id, source, reason, actor_kind, actor_id, retracted_at, observations, notes)
     VALUES ($1, $2::uuid, $3, $4, $5, $6, clock_timestamp(), $7, $8)
     ON CONFLICT (workspace_id, id) DO UPDATE
     SET observations = r.observations + excluded.observations, notes = r.notes + excluded.notes`,
    [tx.workspace, id, source, reason, actor.kind, actor.id, observations, notes],
  );
}

/** Lists retractions, newest first. @param before id of the last one of the previous page; null for the first page. */
export function listRetractions(tx: Tx, before: string | null, limit: number): Promise<RetractionRow[]> {
  return tx.query<RetractionRow>(
    `SELECT id, source, reason, actor_kind, actor_id, retracted_at, observations, notes FROM retractions
     WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [tx.workspace, before, limit],
  );
}
