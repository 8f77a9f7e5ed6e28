import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type ErasedPerson, type ErasurePhase, isKeyAbout, redactNullable, redactValue } from './erasure-phase.js';

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
}

/** Removes mentions of the person from runs of plugins: from input, state, result and texts. */
export const runsPhase: ErasurePhase = {
  name: 'mentions in runs',
  run: async (tx, person, cursor) => {
    const rows = await tx.query<RunRow>(
      `SELECT id, input, state, result, message, error, dedupe_key FROM plugin_runs
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
  const json = [row.input, row.state, row.result];
  const texts = [row.message, row.error];
  const redactedJson = json.map(value => redactValue(matcher, value));
  const redactedTexts = texts.map(text => redactNullable(matcher, text));
  const key = row.dedupe_key !== null && isKeyAbout(person, row.dedupe_key) ? null : row.dedupe_key;
  const isSame = (before: readonly unknown[], after: readonly unknown[]) =>
    before.every((value, index) => value === after[index]);
  if (isSame(json, redactedJson) && isSame(texts, redactedTexts) && key === row.dedupe_key) return false;
  await tx.query(
    `UPDATE plugin_runs SET input = $3, state = $4, result = $5, message = $6, error = $7, dedupe_key = $8
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
