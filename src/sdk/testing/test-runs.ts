import type { PluginManifest } from '../manifest/manifest.js';
import { type CheckedReport, parseReportColumns, parseRunInput, parseStepResult, StepRecorder } from '../run-rules.js';
import type { Json } from '../schema.js';
import { requireFit } from './schemas.js';
import type { PluginRun, RunInfo, RunOptions, RunProgress, RunsPort, RunStatus } from '../runs.js';

const MAX_STEPS = 10_000;
const ENDED: ReadonlySet<RunStatus> = new Set(['finished', 'failed', 'cancelled']);

interface StoredRun {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly key: string | undefined;
  readonly cancelled: AbortController;
  status: RunStatus;
  step: number;
  state: Json;
  progress: RunProgress;
  reports: CheckedReport[];
  result: Json;
  error: string | null;
}

/** Calls the handler of a run for one step, twice, and returns what it returned each time. */
type CallStep = (name: string, step: number, call: () => PluginRun) => Promise<readonly unknown[]>;

/**
 * The runs of the plugin. Runs wait until `hub.drain()`, or are executed at once by `hub.run`. IDs are `run-1`, `run-2`
 * and so on.
 * @example
 * ```ts
 * const run = await hub.run('import', { file: file.id });
 * expect(run).toMatchObject({ status: 'finished', result: { people: 2 }, reported: 1 });
 * expect(hub.runs.reports(run.id)).toMatchObject([{ at: '3', field: 'email' }]);
 * ```
 */
export class TestRuns implements RunsPort {
  /** Set during a repeated delivery: runs are validated but not started. */
  isMuted = false;
  /** Called at the beginning of each step, for example to cancel the run. */
  onStep: (run: PluginRun) => void = () => undefined;
  private readonly runs: StoredRun[] = [];

  constructor(private readonly manifest: PluginManifest) {}

  async start(name: string, input: Json = null, { key, columns = [] }: RunOptions = {}): Promise<RunInfo> {
    if (!this.manifest.runs?.[name]) {
      throw new Error(
        `The manifest declares no run "${name}": add it to "runs", with a method that has @OnRun('${name}').`,
      );
    }
    requireFit(`The input of the run "${name}"`, this.manifest.runs[name].input, input);
    const checked = parseRunInput(name, input);
    parseReportColumns(columns);
    const unfinished = this.runs.find(run => run.name === name && run.key === key && !ENDED.has(run.status));
    if (unfinished && (key !== undefined || this.isMuted)) return toInfo(unfinished);
    const run: StoredRun = {
      id: `run-${this.runs.length + 1}`,
      name,
      input: checked,
      key,
      cancelled: new AbortController(),
      status: 'queued',
      step: 1,
      state: null,
      progress: { done: 0, total: null, message: null },
      reports: [],
      result: null,
      error: null,
    };
    if (!this.isMuted) this.runs.push(run);
    return toInfo(run);
  }

  async get(id: string): Promise<RunInfo | undefined> {
    const run = this.runs.find(each => each.id === id);
    return run && toInfo(run);
  }

  async cancel(id: string): Promise<void> {
    const run = this.runs.find(each => each.id === id);
    if (!run || ENDED.has(run.status)) return;
    run.status = 'cancelled';
    run.cancelled.abort(new Error('The run was cancelled.'));
  }

  /** Returns all runs, oldest first. */
  list(): RunInfo[] {
    return this.runs.map(toInfo);
  }

  /** Returns the rows that a run reported, as users download them. */
  reports(id: string): readonly CheckedReport[] {
    return this.runs.find(each => each.id === id)?.reports ?? [];
  }

  /**
   * Executes all runs that wait, step by step.
   * @throws the error of a handler; the run has failed then
   */
  async execute(callStep: CallStep): Promise<void> {
    for (let run = this.findQueued(); run; run = this.findQueued()) await this.executeRun(run, callStep);
  }

  private findQueued(): StoredRun | undefined {
    return this.runs.find(({ status }) => status === 'queued');
  }

  private async executeRun(run: StoredRun, callStep: CallStep): Promise<void> {
    run.status = 'running';
    try {
      while (run.status === 'running') await this.executeStep(run, callStep);
    } catch (error) {
      if (run.cancelled.signal.aborted) return;
      run.status = 'failed';
      run.error = (error as Error).message;
      throw error;
    }
  }

  private async executeStep(run: StoredRun, callStep: CallStep): Promise<void> {
    const { id, name, input, state, step, progress } = run;
    const { signal } = run.cancelled;
    let recorder: StepRecorder | undefined;
    const returned = await callStep(name, step, () => {
      const attempt = recorder === undefined ? 1 : 2;
      recorder = new StepRecorder({ id, name, input, state, step, attempt, signal, progress });
      const stepRun = recorder.toRun();
      this.onStep(stepRun);
      return stepRun;
    });
    const results = returned.map(each => parseStepResult(name, each));
    if (signal.aborted) return;
    const [result] = results;
    if (JSON.stringify(result) !== JSON.stringify(results.at(-1))) {
      throw new Error(
        `Step ${step} of the run "${name}" returned something else when it was repeated with the same state: ` +
          'what it returns must follow from its input and state.',
      );
    }
    run.progress = recorder!.progress;
    run.reports.push(...recorder!.reports);
    if (result!.kind === 'done') {
      run.status = 'finished';
      run.result = result!.result;
      return;
    }
    run.state = result!.state;
    run.step = step + 1;
    if (step >= MAX_STEPS) throw new Error(`The run "${name}" did not end after ${MAX_STEPS} steps.`);
  }
}

function toInfo({ id, name, status, progress, reports, result, error }: StoredRun): RunInfo {
  return { id, name, status, progress, reported: reports.length, result, error };
}
