import { ERASED_MARK } from '#domain/erasure/mentions.js';
import { computeDigest, MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { removeStates } from '../claims/claims.queries.js';
import { touchedClaimKeys, type ClaimsService, NAME_PROPERTIES } from '../claims/claims.service.js';
import { ClusterChangedError, lockEntities } from '../identity/entity-locks.js';
import type { HistoryService } from '../observations/history.service.js';
import { databaseNow, type ObservationRow, toObservation } from '../observations/observations.queries.js';
import { type ErasedPerson, type ErasurePhase, findWindowEnd, redactNullable, redactValue } from './erasure-phase.js';

/** Rows that one statement searches. */
const ROWS_PER_WINDOW = 5_000;
/** Rows that one transaction changes. */
const MAX_CHANGED_ROWS = 200;

/** Properties that are nothing but an identifier: without it, the statement has no content. */
const IDENTIFIER_PROPERTIES: ReadonlySet<string> = new Set('email emails phone phones linkedin_url'.split(' '));

interface MentioningRow extends ObservationRow {
  readonly raw: unknown;
}

/** A row before and after its mentions were removed; undefined: the row is deleted. */
interface Redaction {
  readonly before: MentioningRow;
  readonly after: MentioningRow | undefined;
}

/**
 * Removes mentions of the person from observations about others, and folds the claims of these again. A statement that
 * is nothing but an identifier of the person is deleted. The names of other people and companies stay.
 */
export function createLogMentionsPhase(claims: ClaimsService, history: HistoryService): ErasurePhase {
  return {
    name: 'mentions in the log',
    run: async (tx, person, cursor) => {
      const end = await findWindowEnd(tx, 'observation_log', cursor, ROWS_PER_WINDOW);
      if (end === null) return { cursor: null, counts: {} };
      const found = await readMentioning(tx, person, cursor, end);
      await lockEntities(
        tx,
        found.map(row => row.cluster_id),
      );
      const rows = await readMentioning(tx, person, cursor, end);
      const locked = new Set(found.map(row => row.cluster_id));
      if (rows.some(row => !locked.has(row.cluster_id))) throw new ClusterChangedError();
      const redactions = rows.map(before => ({ before, after: redactRow(person, before) }));
      const changed = redactions.filter(({ before, after }) => before !== after);
      await saveRedactions(tx, changed);
      await foldAgain(tx, claims, history, changed);
      const isCut = rows.length === MAX_CHANGED_ROWS;
      return { cursor: isCut ? rows.at(-1)!.id : end, counts: { observations_redacted: changed.length } };
    },
  };
}

function readMentioning(
  tx: Tx,
  { ids, matcher }: ErasedPerson,
  after: string | null,
  end: string,
): Promise<MentioningRow[]> {
  return tx.query<MentioningRow>(
    `SELECT o.*, coalesce(e.canonical_id, e.id) AS cluster_id
     FROM observation_log o JOIN entities e ON e.workspace_id = $1 AND e.id = o.entity_id
     WHERE o.workspace_id = $1 AND ($2::uuid IS NULL OR o.id > $2) AND o.id <= $3 AND o.entity_id <> ALL ($4)
       AND (o.value::text ~* $5 OR o.raw::text ~* $5 OR o.external_id ~* $5 OR o.source ~* $5 OR o.method ~* $5
         OR o.about_address ~* $5)
     ORDER BY o.id LIMIT ${MAX_CHANGED_ROWS}`,
    [tx.workspace, after, end, ids, matcher.prefilter],
  );
}

function redactRow({ matcher }: ErasedPerson, row: MentioningRow): MentioningRow | undefined {
  const isName = row.kind === 'state' && NAME_PROPERTIES.has(row.property);
  const value = isName ? row.value : redactValue(matcher, row.value);
  const isIdentifier = row.kind === 'state' && IDENTIFIER_PROPERTIES.has(row.property);
  if (isIdentifier && value !== row.value && isNothingElse(value)) return undefined;
  const raw = redactValue(matcher, row.raw);
  const [source, method] = [redactNullable(matcher, row.source), redactNullable(matcher, row.method)];
  const isAboutThem = row.about_address !== null && matcher.isPartOf(row.about_address);
  const about_address = isAboutThem ? null : row.about_address;
  const hasMention = row.external_id !== null && matcher.isPartOf(row.external_id);
  const external_id = hasMention ? `erased:${row.id}` : row.external_id;
  const isSame = value === row.value && raw === row.raw && source === row.source && method === row.method;
  return isSame && !hasMention && !isAboutThem
    ? row
    : { ...row, value, raw, source, method, external_id, about_address };
}

function isNothingElse(value: unknown): boolean {
  return value === ERASED_MARK || (Array.isArray(value) && value.every(each => each === ERASED_MARK));
}

async function saveRedactions(tx: Tx, changed: readonly Redaction[]): Promise<void> {
  const deleted = changed.flatMap(({ before, after }) => (after ? [] : [before.id]));
  if (deleted.length > 0)
    await tx.query('DELETE FROM observation_log WHERE workspace_id = $1 AND id = ANY ($2)', [tx.workspace, deleted]);
  for (const { after } of changed) {
    if (!after) continue;
    await tx.query(
      `UPDATE observation_log SET value = $3, raw = $4, source = $5, method = $6, external_id = $7,
         digest = decode($8, 'hex'), about_address = $9 WHERE workspace_id = $1 AND id = $2`,
      [
        tx.workspace,
        after.id,
        toJson(after.value),
        toJson(after.raw),
        after.source,
        after.method,
        after.external_id,
        computeDigest(toObservation(after)),
        after.about_address,
      ],
    );
  }
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

async function foldAgain(
  tx: Tx,
  claims: ClaimsService,
  history: HistoryService,
  changed: readonly Redaction[],
): Promise<void> {
  const observed = changed.flatMap(({ before, after }) =>
    [before, ...(after ? [after] : [])].map(row => ({ entityId: row.cluster_id, observations: [toDraft(row)] })),
  );
  const keys = touchedClaimKeys(observed);
  if (keys.length === 0) return;
  const horizon = (await databaseNow(tx)) + MAX_BATCH_OBSERVATIONS;
  const folded = await history.rebuild(tx, keys, horizon);
  const left = new Set(folded.map(({ entityId, property }) => `${entityId} ${property}`));
  await removeStates(
    tx,
    keys.filter(({ entityId, property }) => !left.has(`${entityId} ${property}`)),
  );
  await claims.save(tx, folded);
}

function toDraft(row: MentioningRow) {
  const { externalId, ...observation } = toObservation(row);
  return externalId === null ? observation : { ...observation, externalId };
}
