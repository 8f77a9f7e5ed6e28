import type { Json } from './schema.js';

/**
 * Runs of the plugin: long work in steps, such as an import or a sync, which continues after a crash where it stood.
 * @example const { id } = await hub.runs.start('import', { file: file.id }, { key: file.id });
 */
export interface RunsPort {
  /**
   * Starts a run that the manifest declares in `runs`, for this connection.
   * @param input at most 256 kB as JSON. Default: null
   * @throws PermanentError if the manifest declares no run of that name, or 100 runs of the plugin are unfinished
   */
  start(name: string, input?: Json, options?: RunOptions): Promise<RunInfo>;
  /** Returns a run; undefined if it does not exist or belongs to another plugin. */
  get(id: string): Promise<RunInfo | undefined>;
  /** Cancels a run. Does nothing if it has ended or does not exist. */
  cancel(id: string): Promise<void>;
}

/**
 * Options of a new run.
 * @example { key: 'full-sync' }
 */
export interface RunOptions {
  /** Deduplicates: while a run of this name and key is unfinished, it is returned and no other one is started. */
  readonly key?: string;
  /**
   * Names of the cells of reported rows, which head the report: a user can correct the report and import it. At most 1000,
   * each cut to 200 characters. Default: cells have no names.
   */
  readonly columns?: readonly string[];
}

/**
 * `queued`: waits for its first step, or to continue. `running`: between or in steps. `paused`: until a user resumes
 * it. `finished`, `failed` and `cancelled` runs have ended; a user can retry the last two.
 * @example if (run.status === 'failed') hub.log.warn('import failed', { run: run.id });
 */
export type RunStatus = 'queued' | 'running' | 'paused' | 'finished' | 'failed' | 'cancelled';

/**
 * What is known of a run.
 * @example const { status, progress } = (await hub.runs.get(id))!;
 */
export interface RunInfo {
  readonly id: string;
  /** Name in the manifest. */
  readonly name: string;
  readonly status: RunStatus;
  readonly progress: RunProgress;
  /** Number of rows that were reported. */
  readonly reported: number;
  /** What `run.done` was called with; null until then. */
  readonly result: Json;
  /** Why the run failed; null unless it did. */
  readonly error: string | null;
}

/**
 * How far a run is.
 * @example { done: 1200, total: 50_000, message: 'Reading people' }
 */
export interface RunProgress {
  readonly done: number;
  /** Null if unknown. */
  readonly total: number | null;
  readonly message: string | null;
}

/**
 * One step of a run; first argument of `@OnRun`. A step does a bounded amount of work, seconds rather than minutes, and
 * returns the state for the next one. State, progress, reported rows, jobs and events of the step are committed
 * together. A step that was interrupted is called again with the same state, so what it writes to the graph must have
 * the same `external_id`s; observations and notes without one get one from run and step.
 * @example
 * ```ts
 * @OnRun('sync')
 * async sync(run: PluginRun<null, { page: string | null }>, hub: HubContext) {
 *   const { people, next } = await readPage(hub, run.state?.page ?? null);
 *   await hub.graph.people.upsert(people);
 *   run.progress(run.completed + people.length);
 *   return next === null ? run.done() : { page: next };
 * }
 * ```
 */
export interface PluginRun<Input = Json, State = Json> {
  /** The same in every step. */
  readonly id: string;
  /** Name in the manifest. */
  readonly name: string;
  /** What the run was started with. */
  readonly input: Input;
  /** What the previous step returned; null in the first one. */
  readonly state: State | null;
  /** Number of this step, starting at 1. */
  readonly step: number;
  /** Number of this attempt of the step, starting at 1. */
  readonly attempt: number;
  /** `done` of the progress when this step began. */
  readonly completed: number;
  /** Aborts when the run is cancelled, the step takes too long, or the hub shuts down. */
  readonly signal: AbortSignal;
  /** Shows how far the run is. Users see it within seconds. Omitted parts stay as they were. */
  progress(done: number, total?: number, message?: string): void;
  /** Reports a row that was not taken. Users download all of them as CSV. At most 10,000 in one step. */
  report(row: ReportedRow): void;
  /** Ends the run: `return run.done(result)`. */
  done(result?: Json): RunDone;
}

/**
 * A row that a run did not take.
 * @example run.report({ at: 17, field: 'email', error: '`email` is not an address: it has no @.', cells: row });
 */
export interface ReportedRow {
  /** Where it is: the line of a file or the ID of a record. */
  readonly at: string | number;
  /** The field with the problem. */
  readonly field?: string;
  /** What is wrong and how to fix it, at most 1000 characters. */
  readonly error: string;
  /** The original row, so that users can correct and send it again; at most 1000 cells. */
  readonly cells?: readonly string[];
}

/**
 * The end of a run, made by `run.done`.
 * @example return run.done({ people: 1200, rejected: 3 });
 */
export interface RunDone {
  readonly done: true;
  readonly result: Json;
}
