import { Injectable } from '@nestjs/common';
import type { Json } from '#sdk/schema.js';
import type { CheckedReport, StepResult } from '#sdk/run-rules.js';
import type { RunFacts } from '#sdk/events.js';
import type { RunProgress, RunStatus } from '#sdk/runs.js';
import { PermanentError } from '#sdk/errors.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { newId } from '#kernel/ids.js';
import { requestActor } from '#kernel/request-context.js';
import type { PluginScope } from '../context/plugin-ports.js';
import { PluginRegistry } from '../host/plugin.registry.js';
import { enqueueJobs } from '../jobs/job.emitter.js';
import { JobDispatcher } from '../jobs/job.dispatcher.js';
import { type StepEffects, type ClaimedRun, type RunRecord, type RunRef, toStepJob } from './run.js';
import {
  CLAIM_STEP,
  COMMIT_STEP,
  CONTROL_RUN,
  COUNT_UNFINISHED,
  FAIL_RUN,
  FINISH_RUN,
  INSERT_REPORTS,
  INSERT_RUN,
  IS_STEP_OWNED,
  RELEASE_LEASE,
  RENEW_LEASE,
  SELECT_BY_KEY,
  SELECT_RUN,
} from './runs.queries.js';

const MAX_UNFINISHED = 100;
const MAX_ERROR_LENGTH = 2_000;

/** A run to start. */
export interface NewRun {
  readonly name: string;
  readonly input: Json;
  /** Key by which unfinished runs are deduplicated; undefined for none. */
  readonly key: string | undefined;
  /** Names of the cells of reported rows; left out for none. */
  readonly columns?: readonly string[];
}

/** A step to commit, by the process that owns its lease. */
export interface FinishedStep {
  readonly step: number;
  readonly lease: string;
  readonly result: StepResult;
  readonly progress: RunProgress;
  readonly reports: readonly CheckedReport[];
  readonly effects: StepEffects;
}

/** What a user does with a run. */
export type RunAction = 'pause' | 'resume' | 'cancel' | 'retry';

/** The statuses in which an action has an effect, and those in which its effect is there already. */
const TRANSITIONS: Readonly<
  Record<RunAction, { readonly from: readonly RunStatus[]; readonly done: readonly RunStatus[] }>
> = {
  pause: { from: ['queued', 'running'], done: ['paused'] },
  resume: { from: ['paused'], done: ['queued', 'running'] },
  cancel: { from: ['queued', 'running', 'paused'], done: ['cancelled'] },
  retry: { from: ['failed', 'cancelled'], done: ['queued', 'running'] },
};

/**
 * Stores runs. The process that executes a step owns its lease; the state of a step, its reported rows, jobs, events and the job of
 * the next step are one transaction, which only the owner of the lease can commit.
 */
@Injectable()
export class RunStore {
  constructor(
    private readonly work: UnitOfWork,
    private readonly dispatcher: JobDispatcher,
    private readonly registry: PluginRegistry,
  ) {}

  /**
   * Starts a run, or returns the unfinished one with the same key.
   * @throws PermanentError if too many runs of the plugin are unfinished
   */
  async start(scope: PluginScope, run: NewRun): Promise<RunRecord> {
    const started = await this.work.run(scope.workspaceId, tx => this.startWithin(tx, scope, run));
    this.dispatcher.wake();
    return started;
  }

  /** Returns a run of a plugin; undefined if there is none. */
  async find({ workspaceId, id }: RunRef, plugin: string): Promise<RunRecord | undefined> {
    return this.work.run(workspaceId, tx => findRun(tx, id, plugin));
  }

  /**
   * Takes the lease of a step.
   * @returns `owned` while another process executes it, undefined if it does not wait any more
   */
  async claim({ workspaceId, id }: RunRef, step: number, lease: string): Promise<ClaimedRun | 'owned' | undefined> {
    return this.work.run(workspaceId, async tx => {
      const [run] = await tx.query<ClaimedRun>(CLAIM_STEP, [workspaceId, id, step, lease]);
      if (run) return run;
      return (await tx.query(IS_STEP_OWNED, [workspaceId, id, step])).length > 0 ? 'owned' : undefined;
    });
  }

  /** Renews a lease and saves progress. @returns false if the run was ended, or another process took the step over */
  async renew({ workspaceId, id }: RunRef, lease: string, { done, total, message }: RunProgress): Promise<boolean> {
    const values = [workspaceId, id, lease, done, total, message];
    return (await this.work.run(workspaceId, tx => tx.query(RENEW_LEASE, values))).length > 0;
  }

  /** Gives a lease back, so that the step can be tried again. */
  async release({ workspaceId, id }: RunRef, lease: string): Promise<void> {
    await this.work.run(workspaceId, tx => tx.query(RELEASE_LEASE, [workspaceId, id, lease]));
  }

  /** Commits a step. @returns false if the run was ended, or another process took the step over: nothing is written */
  async commit({ workspaceId, id }: RunRef, finished: FinishedStep): Promise<boolean> {
    const { step, lease, result, progress, reports, effects } = finished;
    const { done, total, message } = progress;
    const isDone = result.kind === 'done';
    const value = JSON.stringify(isDone ? result.result : result.state);
    const values = [workspaceId, id, lease, step, value, done, total, message, reports.length];
    const isCommitted = await this.work.run(workspaceId, async tx => {
      const [run] = await tx.query<RunRecord>(isDone ? FINISH_RUN : COMMIT_STEP, values);
      if (!run) return false;
      if (reports.length > 0) {
        const rows = reports.map((report, position) => ({ position, ...report }));
        tx.deferToCommit(INSERT_REPORTS, [workspaceId, id, step, JSON.stringify(rows)]);
      }
      for (const event of effects.events) tx.emit(event);
      if (isDone) tx.emit({ type: 'run.finished', payload: { ...this.toFacts(run) } });
      enqueueJobs(tx, run.status === 'running' ? [...effects.jobs, toStepJob(run)] : effects.jobs);
      return true;
    });
    if (isCommitted) this.dispatcher.wake();
    return isCommitted;
  }

  /** Fails a run whose current step was given up. Does nothing if the run is not at this step any more. */
  async fail({ workspaceId, id }: RunRef, step: number, reason: string): Promise<void> {
    const error = reason.slice(0, MAX_ERROR_LENGTH);
    await this.work.run(workspaceId, async tx => {
      const [run] = await tx.query<RunRecord>(FAIL_RUN, [workspaceId, id, step, error]);
      if (run) tx.emit({ type: 'run.failed', payload: { ...this.toFacts(run), error } });
    });
  }

  /**
   * Pauses, resumes, cancels or retries a run, in a transaction of the caller. Does nothing if it is so already.
   * @returns the run after it, with whether anything changed; undefined if there is no such run
   */
  async control(
    tx: Tx,
    action: RunAction,
    id: string,
    plugin: string,
  ): Promise<{ run: RunRecord; outcome: 'changed' | 'unchanged' | 'refused' } | undefined> {
    const { from, done } = TRANSITIONS[action];
    const sql = CONTROL_RUN[action === 'retry' ? 'resume' : action];
    const [changed] = await tx.query<RunRecord>(sql, [tx.workspace, id, plugin, from]);
    if (changed) {
      if (changed.status === 'queued') enqueueJobs(tx, [toStepJob(changed)]);
      return { run: changed, outcome: 'changed' };
    }
    const run = await findRun(tx, id, plugin);
    return run && { run, outcome: done.includes(run.status) ? 'unchanged' : 'refused' };
  }

  /** Cancels a run of a plugin, if it has not ended. */
  async cancel({ workspaceId, id }: RunRef, plugin: string): Promise<void> {
    await this.work.run(workspaceId, tx => this.control(tx, 'cancel', id, plugin));
  }

  /**
   * Starts a run in a transaction of the caller, who wakes the dispatcher after it. Returns the unfinished one with the same key.
   * @throws PermanentError if too many runs of the plugin are unfinished
   */
  async startWithin(
    tx: Tx,
    { workspaceId, plugin, connectionId }: PluginScope,
    { name, input, key, columns = [] }: NewRun,
  ): Promise<RunRecord> {
    const [unfinished] = await tx.query<{ count: number }>(COUNT_UNFINISHED, [workspaceId, plugin, MAX_UNFINISHED]);
    const actor = requestActor();
    const dedupeKey = key === undefined ? null : JSON.stringify([connectionId, name, key]);
    const existing =
      dedupeKey === null ? [] : await tx.query<RunRecord>(SELECT_BY_KEY, [workspaceId, plugin, dedupeKey]);
    if (existing[0]) return existing[0];
    if (unfinished!.count >= MAX_UNFINISHED) {
      throw new PermanentError(`${MAX_UNFINISHED} runs of this plugin are unfinished. Wait, or cancel some of them.`);
    }
    const createdBy = actor ? `${actor.kind}:${actor.id}` : null;
    const values = [newId(), plugin, name, connectionId, dedupeKey, JSON.stringify(input), createdBy];
    const names = columns.length === 0 ? null : JSON.stringify(columns);
    const [inserted] = await tx.query<RunRecord>(INSERT_RUN, [workspaceId, ...values, names]);
    if (inserted) {
      enqueueJobs(tx, [toStepJob(inserted)]);
      return inserted;
    }
    // Another transaction started it between the two statements.
    const [other] = await tx.query<RunRecord>(SELECT_BY_KEY, [workspaceId, plugin, dedupeKey]);
    return other!;
  }

  private toFacts({ id, plugin, name, connectionId, done, reported }: RunRecord): RunFacts {
    const declared = this.registry.listExpected().find(each => each.id === plugin)?.manifest.runs?.[name];
    return {
      run_id: id,
      plugin,
      run: name,
      title: declared?.title ?? name,
      sync: declared?.sync ?? false,
      connection_id: connectionId,
      done,
      reported,
    };
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function findRun(tx: Tx, id: string, plugin: string): Promise<RunRecord | undefined> {
  if (!UUID.test(id)) return undefined;
  return (await tx.query<RunRecord>(SELECT_RUN, [tx.workspace, id, plugin]))[0];
}
