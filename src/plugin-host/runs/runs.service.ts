import { Injectable } from '@nestjs/common';
import { toCsvCell } from '#domain/csv/csv-cell.js';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { PluginRegistry } from '../host/plugin.registry.js';
import { JobDispatcher } from '../jobs/job.dispatcher.js';
import { type RunRecord, toProgress } from './run.js';
import type { PluginScope } from '../context/plugin-ports.js';
import { type NewRun, type RunAction, RunStore } from './run.store.js';
import { MAX_RUNS_PER_PAGE, type Run, type RunList, type RunsQuery } from './runs.dto.js';
import { SELECT_REPORT_COLUMNS, SELECT_REPORTS, SELECT_RUNS } from './runs.queries.js';

const DEFAULT_PAGE_SIZE = 50;
const REPORT_PAGE_SIZE = 1_000;
/** Time limit of a page of a report, in milliseconds; the download as a whole may take longer than a request. */
const REPORT_PAGE_TIMEOUT_MS = 10_000;
const REPORT_HEADER = ['at', 'field', 'error'];

interface ReportRow {
  readonly step: number;
  readonly position: number;
  readonly at: string;
  readonly field: string | null;
  readonly error: string;
  readonly cells: readonly string[] | null;
}

/** Shows the runs of a workspace to its users and lets them control runs. */
@Injectable()
export class RunsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly store: RunStore,
    private readonly dispatcher: JobDispatcher,
    private readonly registry: PluginRegistry,
  ) {}

  /** Returns a page of the runs of a plugin, newest first. @throws HubError `plugin_not_installed` */
  async list(workspace: string, plugin: string, query: RunsQuery): Promise<RunList> {
    this.requirePlugin(plugin);
    const limit = Math.min(query.limit ?? DEFAULT_PAGE_SIZE, MAX_RUNS_PER_PAGE);
    const { status, name = null, cursor = null } = query;
    const values = [workspace, plugin, status === undefined ? null : [status], name, cursor, limit + 1];
    const rows = await this.work.run(workspace, tx => tx.query<RunRecord>(SELECT_RUNS, values));
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const runs = page.map(run => this.present(run));
    return { runs, limit, has_more: hasMore, next_cursor: hasMore ? page.at(-1)!.id : null };
  }

  /** Returns a run. @throws HubError `plugin_not_installed`, `run_not_found` */
  async read(workspaceId: string, plugin: string, id: string): Promise<Run> {
    this.requirePlugin(plugin);
    const run = await this.store.find({ workspaceId, id }, plugin);
    if (!run) throw new HubError('run_not_found');
    return this.present(run);
  }

  /** Returns the newest run of a name; undefined if there is none. */
  async findNewest(tx: Tx, plugin: string, name: string): Promise<Run | undefined> {
    const [newest] = await tx.query<RunRecord>(SELECT_RUNS, [tx.workspace, plugin, null, name, null, 1]);
    return newest && this.present(newest);
  }

  /** Starts a run in a transaction of the caller, or returns the unfinished one with the same key. {@link wake} follows it. */
  async startWithin(tx: Tx, scope: PluginScope, run: NewRun): Promise<Run> {
    return this.present(await this.store.startWithin(tx, scope, run));
  }

  /** Executes the first step of a started run soon, after the transaction that started it. */
  wake(): void {
    this.dispatcher.wake();
  }

  /**
   * Pauses, resumes, cancels or retries a run. Succeeds if it is so already.
   * @throws HubError `run_not_found`, `run_conflict`
   */
  async control(
    { workspaceId }: Caller,
    plugin: string,
    id: string,
    action: RunAction,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<Run>> {
    this.requirePlugin(plugin);
    const response = await this.work.run(workspaceId, tx =>
      runOnce(tx, key, async () => {
        const controlled = await this.store.control(tx, action, id, plugin);
        if (!controlled) throw new HubError('run_not_found');
        const { run, outcome } = controlled;
        if (outcome === 'refused') throw HubError.runConflict(action, run.status);
        if (outcome === 'changed') recordAct(tx, { action: `run.${action}`, objectId: id, after: { plugin } });
        return new HandlerResponse(this.present(run), 200);
      }),
    );
    this.dispatcher.wake();
    return response;
  }

  /**
   * Yields the reported rows of a run as CSV, page by page: where each is, its field, its error, and its original cells, under
   * the names that the plugin gives them.
   * @throws HubError `plugin_not_installed`, `run_not_found`
   */
  async report(workspace: string, plugin: string, id: string): Promise<AsyncGenerator<string>> {
    await this.read(workspace, plugin, id);
    return this.readReport(workspace, id);
  }

  private async *readReport(workspace: string, id: string): AsyncGenerator<string> {
    const [run] = await this.work.run(workspace, tx =>
      tx.query<{ columns: readonly string[] | null }>(SELECT_REPORT_COLUMNS, [workspace, id]),
    );
    yield toCsvLine([...REPORT_HEADER, ...(run?.columns ?? [])]);
    for (let [step, position] = [0, -1]; ;) {
      const values = [workspace, id, step, position, REPORT_PAGE_SIZE];
      const options = { budgetMs: REPORT_PAGE_TIMEOUT_MS };
      const rows = await this.work.run(workspace, tx => tx.query<ReportRow>(SELECT_REPORTS, values), options);
      if (rows.length > 0) yield rows.map(toReportLine).join('');
      if (rows.length < REPORT_PAGE_SIZE) return;
      ({ step, position } = rows.at(-1)!);
    }
  }

  private requirePlugin(plugin: string): void {
    if (!this.registry.list().some(({ id }) => id === plugin)) throw HubError.pluginNotInstalled(plugin.slice(0, 60));
  }

  private present(run: RunRecord): Run {
    const { id, plugin, name, status, step, reported, result, error, connectionId } = run;
    const declared = this.registry.listExpected().find(each => each.id === plugin)?.manifest.runs?.[name];
    return {
      id,
      plugin,
      name,
      title: declared?.title ?? name,
      status,
      progress: toProgress(run),
      step,
      reported,
      result,
      error,
      connection_id: connectionId,
      created_at: toIso(run.createdAt),
      started_at: run.startedAt === null ? null : toIso(run.startedAt),
      updated_at: toIso(run.updatedAt),
      finished_at: run.finishedAt === null ? null : toIso(run.finishedAt),
    };
  }
}

function toReportLine({ at, field, error, cells }: ReportRow): string {
  return toCsvLine([at, field, error, ...(cells ?? [])]);
}

function toCsvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}
