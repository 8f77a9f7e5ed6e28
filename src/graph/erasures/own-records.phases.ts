import { computeDigest, MAX_BATCH_OBSERVATIONS, type JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { replaceStates } from '../claims/claims.queries.js';
import { groupStatementsByClaim, type ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { deleteIdentifiers } from './person.queries.js';
import { databaseNow, type ObservationRow, readLog, toObservation } from '../observations/observations.queries.js';
import {
  type ErasurePhase,
  type PhaseStep,
  type ErasedPerson,
  isKeyAbout,
  redactNullable,
  redactValue,
} from './erasure-phase.js';
import { deleteNotes } from './note.phases.js';
import type { FileStore } from '#kernel/files/file-store.js';
import { isMentionedInFile, nextFile, readFileWindow, toFilesCursor } from './stored-files.js';

const OBSERVATIONS_PER_PAGE = 1_000;
const NOTES_PER_PAGE = 20;

/**
 * Deletes the statements about the person. Of events remain property, source and times, so that counts and the activity
 * of the company stay right; their digest follows from what is left. Then folds the claims that these events imply.
 */
export function createOwnLogPhase(claims: ClaimsService): ErasurePhase {
  return {
    name: 'own log',
    run: async (tx, { ids }): Promise<PhaseStep> => {
      await lockEntities(tx, ids);
      const identifiers = await deleteIdentifiers(tx, ids);
      const deleted = await tx.query(
        `DELETE FROM observation_log WHERE workspace_id = $1 AND id IN (
           SELECT id FROM observation_log WHERE workspace_id = $1 AND entity_id = ANY ($2) AND kind = 'state'
           LIMIT ${OBSERVATIONS_PER_PAGE}) RETURNING 1`,
        [tx.workspace, ids],
      );
      const events = await tx.query<ObservationRow>(
        `SELECT *, entity_id AS cluster_id FROM observation_log
         WHERE workspace_id = $1 AND entity_id = ANY ($2) AND kind = 'event'
           AND (value IS NOT NULL OR raw IS NOT NULL OR external_id IS NOT NULL OR about_address IS NOT NULL) LIMIT ${OBSERVATIONS_PER_PAGE}`,
        [tx.workspace, ids],
      );
      await anonymizeEvents(tx, events);
      const counts = {
        identifiers: identifiers.length,
        observations_deleted: deleted.length,
        events_anonymized: events.length,
      };
      const isComplete = deleted.length < OBSERVATIONS_PER_PAGE && events.length < OBSERVATIONS_PER_PAGE;
      if (!isComplete) return { cursor: 'more', counts };
      await foldRemaining(tx, claims, ids);
      return { cursor: null, counts };
    },
  };
}

async function anonymizeEvents(tx: Tx, events: readonly ObservationRow[]): Promise<void> {
  if (events.length === 0) return;
  const digests = events.map(row => computeDigest({ ...toObservation(row), value: null, externalId: null }));
  await tx.query(
    `UPDATE observation_log SET value = NULL, raw = NULL, external_id = NULL, about_address = NULL,
       digest = decode(kept.digest, 'hex')
     FROM unnest($2::uuid[], $3::text[]) AS kept (id, digest)
     WHERE workspace_id = $1 AND observation_log.id = kept.id`,
    [tx.workspace, events.map(({ id }) => id), digests],
  );
}

/** Folds the claims of each id from the events that are left, such as `do_not_contact`. */
async function foldRemaining(tx: Tx, claims: ClaimsService, ids: readonly string[]): Promise<void> {
  const horizon = (await databaseNow(tx)) + MAX_BATCH_OBSERVATIONS;
  for (const id of ids) {
    const log = await readLog(tx, id, {});
    const statements = groupStatementsByClaim(log.map(row => ({ ...row, clusterId: id })));
    const folded = await claims.rebuild(tx.workspace, statements, horizon);
    await replaceStates(tx, claims.rulesOf(tx.workspace), [id], folded);
  }
}

/** Deletes the notes that are attached to the person, with their search index. */
export const ownNotesPhase: ErasurePhase = {
  name: 'own notes',
  run: async (tx, { ids }) => {
    const notes = await tx.query<{ id: string; title: string; content: string }>(
      `SELECT id, title, content FROM note_log WHERE workspace_id = $1 AND entity_id = ANY ($2) LIMIT ${NOTES_PER_PAGE}`,
      [tx.workspace, ids],
    );
    await deleteNotes(tx, notes);
    const cursor = notes.length < NOTES_PER_PAGE ? null : 'more';
    return { cursor, counts: { notes_deleted: notes.length } };
  },
};

/** Removes imported rows and scores from the person's leads. The leads stay, so that lists keep their counts. */
export const ownLeadsPhase: ErasurePhase = {
  name: 'own leads',
  run: async (tx, { ids }) => {
    const cleared = await tx.query(
      `UPDATE leads SET features = '{}', fields = '{}', original = '{}', layers = NULL, priority = NULL,
         priority_confidence = NULL, play = NULL, icp_score = NULL, intent_score = NULL, scored_at = NULL,
         updated_at = now()
       WHERE workspace_id = $1 AND entity_id = ANY ($2)
         AND (features <> '{}' OR fields <> '{}' OR original <> '{}' OR layers IS NOT NULL OR scored_at IS NOT NULL)
       RETURNING 1`,
      [tx.workspace, ids],
    );
    return { cursor: null, counts: { leads_cleared: cleared.length } };
  },
};

/** Windows overlap by more than the longest identifier, so that none is cut in two. */
const OVERLAP_BYTES = 8 * 1024;

/**
 * Deletes stored files that mention the person. They are copies that expire anyway, and a table without one of its rows
 * would not be the file that was uploaded. A file that is not text, such as a spreadsheet, cannot be searched and is
 * deleted too. Each page searches one window of a file.
 */
export function createFilesPhase(files: FileStore): ErasurePhase {
  return {
    name: 'files',
    run: async (tx, person, cursor) => {
      const window = await readFileWindow(tx, files, cursor);
      if (!window) return { cursor: null, counts: {} };
      const { file, content, encoding, isLast } = window;
      if (encoding === undefined || isMentionedInFile(person, window)) {
        await files.remove({ workspaceId: tx.workspace, id: file.id }, file.storage);
        return { cursor: nextFile(window), counts: { files_deleted: 1 } };
      }
      const next = isLast ? nextFile(window) : toFilesCursor(window, content.length - OVERLAP_BYTES);
      return { cursor: next, counts: {} };
    },
  };
}

const RUNS_PER_PAGE = 50;
const ROWS_PER_PAGE = 1_000;

interface RunRow {
  readonly id: string;
  readonly input: JsonValue;
  readonly state: JsonValue | null;
  readonly result: JsonValue | null;
  readonly message: string | null;
  readonly error: string | null;
  readonly dedupe_key: string | null;
  readonly report_columns: JsonValue | null;
}

/** Removes mentions of the person from runs of plugins: from input, state, result, texts and names of cells. */
export const runsPhase: ErasurePhase = {
  name: 'mentions in runs',
  run: async (tx, person, cursor) => {
    const rows = await tx.query<RunRow>(
      `SELECT id, input, state, result, report_columns, message, error, dedupe_key FROM plugin_runs
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${RUNS_PER_PAGE} FOR UPDATE`,
      [tx.workspace, cursor],
    );
    let changed = 0;
    for (const row of rows) if (await redactRun(tx, person, row)) changed++;
    return { cursor: rows.length < RUNS_PER_PAGE ? null : rows.at(-1)!.id, counts: { runs_redacted: changed } };
  },
};

async function redactRun(tx: Tx, person: ErasedPerson, row: RunRow): Promise<boolean> {
  const { matcher } = person;
  const json = [row.input, row.state, row.result, row.report_columns];
  const texts = [row.message, row.error];
  const redactedJson = json.map(value => redactValue(matcher, value));
  const redactedTexts = texts.map(text => redactNullable(matcher, text));
  const key = row.dedupe_key !== null && isKeyAbout(person, row.dedupe_key) ? null : row.dedupe_key;
  const isSame = (before: readonly unknown[], after: readonly unknown[]) =>
    before.every((value, index) => value === after[index]);
  if (isSame(json, redactedJson) && isSame(texts, redactedTexts) && key === row.dedupe_key) return false;
  await tx.query(
    `UPDATE plugin_runs SET input = $3, state = $4, result = $5, report_columns = $6, message = $7, error = $8,
       dedupe_key = $9
     WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspace,
      row.id,
      ...redactedJson.map(value => (value === null ? null : JSON.stringify(value))),
      ...redactedTexts,
      key,
    ],
  );
  return true;
}

interface ReportedRow {
  readonly run_id: string;
  readonly step: number;
  readonly position: number;
  readonly at: string;
  readonly field: string | null;
  readonly error: string;
  readonly cells: readonly string[] | null;
}

/** Removes mentions of the person from the rows that runs of plugins did not take. */
export const reportedRowsPhase: ErasurePhase = {
  name: 'mentions in reported rows',
  run: async (tx, { matcher }, cursor) => {
    const after = cursor === null ? [null, null, null] : (JSON.parse(cursor) as [string, number, number]);
    const rows = await tx.query<ReportedRow>(
      `SELECT run_id, step, position, at, field, error, cells FROM plugin_run_reports
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR (run_id, step, position) > ($2, $3::int, $4::int))
       ORDER BY run_id, step, position LIMIT ${ROWS_PER_PAGE}`,
      [tx.workspace, ...after],
    );
    let changed = 0;
    for (const { run_id, step, position, ...row } of rows) {
      const redacted = redactValue(matcher, row);
      if (redacted === row) continue;
      changed++;
      const { at, field, error, cells } = redacted;
      await tx.query(
        `UPDATE plugin_run_reports SET at = $5, field = $6, error = $7, cells = $8
         WHERE workspace_id = $1 AND run_id = $2 AND step = $3 AND position = $4`,
        [tx.workspace, run_id, step, position, at, field, error, cells],
      );
    }
    const last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1);
    return {
      cursor: last ? JSON.stringify([last.run_id, last.step, last.position]) : null,
      counts: { reported_rows_redacted: changed },
    };
  },
};
