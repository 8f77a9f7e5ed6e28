import { createHash } from 'node:crypto';
import { PermanentError } from './errors.js';
import type { Focus, GraphPort } from './ports/graph-port.js';
import type { Json } from './schema.js';
import type { PluginRun, ReportedRow, RunDone, RunProgress } from './runs.js';

const MAX_STATE_BYTES = 256 * 1024;
const MAX_REPORTED_PER_STEP = 10_000;
const MAX_ERROR_LENGTH = 1_000;
const MAX_MESSAGE_LENGTH = 500;
const MAX_CELLS = 1_000;
const MAX_CELL_LENGTH = 10_000;
const MAX_COLUMN_LENGTH = 200;

/** Identifies the end of a run across several copies of this package. */
const DONE_BRAND = Symbol.for('rapport:run-done');

/** Checks the names of the cells of reported rows, and cuts them to their limit. @throws PermanentError for too many */
export function parseReportColumns(names: readonly string[]): string[] {
  if (names.length > MAX_CELLS) throw new PermanentError(`A reported row has at most ${MAX_CELLS} cells.`);
  return names.map(name => name.slice(0, MAX_COLUMN_LENGTH).toWellFormed());
}

/** A reported row with defaults filled in and texts cut to their limits. */
export interface CheckedReport {
  readonly at: string;
  readonly field: string | null;
  readonly error: string;
  readonly cells: readonly string[] | null;
}

/** What a step of a run is called with. */
export type StepInput = Pick<PluginRun, 'id' | 'name' | 'input' | 'state' | 'step' | 'attempt' | 'signal'> & {
  readonly progress: RunProgress;
};

/** What a step returned: the state for the next one, or the result of the run. */
export type StepResult =
  | { readonly kind: 'next'; readonly state: Json }
  | { readonly kind: 'done'; readonly result: Json };

/** Records what a step of a run shows and reports, with the rules that hold in the hub and in the test harness. */
export class StepRecorder {
  readonly reports: CheckedReport[] = [];
  progress: RunProgress;
  /** Set when there is progress that was not taken yet. */
  hasProgress = false;

  constructor(private readonly input: StepInput) {
    this.progress = input.progress;
  }

  /** Returns the first argument of the handler. */
  toRun(): PluginRun {
    const { progress, ...step } = this.input;
    return Object.freeze({
      ...step,
      completed: progress.done,
      progress: (done: number, total?: number, message?: string) => this.setProgress(done, total, message),
      report: (row: ReportedRow) => this.addReport(row),
      done: (result: Json = null): RunDone => Object.freeze({ done: true as const, result, [DONE_BRAND]: true }),
    });
  }

  private setProgress(done: number, total?: number, message?: string): void {
    checkCount('done', done);
    if (total !== undefined) checkCount('total', total);
    this.progress = {
      done,
      total: total ?? this.progress.total,
      message: message === undefined ? this.progress.message : String(message).slice(0, MAX_MESSAGE_LENGTH),
    };
    this.hasProgress = true;
  }

  private addReport({ at, field, error, cells }: ReportedRow): void {
    if (this.reports.length >= MAX_REPORTED_PER_STEP) {
      throw new PermanentError(`A step reports at most ${MAX_REPORTED_PER_STEP} rows: do less in one step.`);
    }
    if (cells && cells.length > MAX_CELLS) throw new PermanentError(`A reported row has at most ${MAX_CELLS} cells.`);
    this.reports.push({
      at: cleanText(String(at), MAX_MESSAGE_LENGTH),
      field: field === undefined ? null : cleanText(field, MAX_MESSAGE_LENGTH),
      error: cleanText(error, MAX_ERROR_LENGTH),
      cells: cells ? cells.map(cell => cleanText(cell, MAX_CELL_LENGTH)) : null,
    });
  }
}

/** Checks what a step returned. @throws PermanentError that says what to return */
export function parseStepResult(name: string, returned: unknown): StepResult {
  if (returned === undefined) {
    throw new PermanentError(
      `A step of the run "${name}" returned nothing: return the next state, or run.done(result).`,
    );
  }
  const isDone = typeof returned === 'object' && returned !== null && DONE_BRAND in returned;
  const what = isDone ? 'result' : 'state';
  const value = checkJson(
    `The ${what} of the run "${name}"`,
    isDone ? (returned as unknown as RunDone).result : returned,
  );
  return isDone ? { kind: 'done', result: value } : { kind: 'next', state: value };
}

/** Checks the input of a new run. @throws PermanentError */
export function parseRunInput(name: string, input: Json): Json {
  return checkJson(`The input of the run "${name}"`, input);
}

/**
 * Returns a graph whose observations and notes have an `external_id`, so that a step that is repeated adds none: their
 * own, or one of run, step, subject and property, counted if it occurs more than once in the step.
 */
export function withStepIds<Graph extends GraphPort>(graph: Graph, runId: string, step: number): Graph {
  const counts = new Map<string, number>();
  const derive = (...parts: readonly string[]): string => {
    const key = JSON.stringify(parts);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const digest = createHash('sha256').update(`${key} ${count}`).digest('base64url').slice(0, 22);
    return `run:${runId}:${step}:${digest}`;
  };
  const record: GraphPort['record'] = (focus, observations) =>
    graph.record(
      focus,
      observations.map(each => ({
        ...each,
        external_id: each.external_id ?? derive(toText(focus), each.kind, each.property),
      })),
    );
  const recordMany: GraphPort['recordMany'] = rows =>
    graph.recordMany(
      rows.map(row => ({
        ...row,
        observations: row.observations.map(each => ({
          ...each,
          ...(row.external_id === undefined && {
            external_id: each.external_id ?? derive(toText(row.focus ?? ''), each.kind, each.property),
          }),
        })),
      })),
    );
  const note: GraphPort['note'] = (focus, input) =>
    graph.note(focus, { ...input, external_id: input.external_id ?? derive(toText(focus), 'note', input.title) });
  return Object.assign(Object.create(graph) as Graph, { record, recordMany, note });
}

function toText(focus: Focus): string {
  return typeof focus === 'string' ? focus : JSON.stringify(focus);
}

function checkJson(what: string, value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new PermanentError(`${what} is not JSON.`);
  if (Buffer.byteLength(text) > MAX_STATE_BYTES) {
    throw new PermanentError(`${what} exceeds 256 kB as JSON: store the data with hub.files or hub.store.`);
  }
  return JSON.parse(text) as Json;
}

function checkCount(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new PermanentError(`\`${field}\` of run.progress must be an integer of at least 0.`);
}

/** Cuts a text and removes what PostgreSQL cannot store. */
function cleanText(text: string, maxLength: number): string {
  return String(text).slice(0, maxLength).replaceAll('\0', '').toWellFormed();
}
