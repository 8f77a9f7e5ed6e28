import { Injectable } from '@nestjs/common';
import type { HubContext } from '#sdk/hub-context.js';
import { parseStepResult, StepRecorder, withStepIds } from '#sdk/run-rules.js';
import type { PluginRun } from '#sdk/runs.js';
import { newId } from '#kernel/ids.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import { settlesWithin } from '#kernel/scheduling/timeout.js';
import { attachRedactor, findRedactor } from '../container/current-plugin.js';
import type { DeliveryContext } from '../context/delivery-context.factory.js';
import type { PluginJobRecord } from '../jobs/plugin-job.js';
import { type ClaimedRun, type RunRef, type StepPayload, toProgress, type StepEffects } from './run.js';
import { RunStore } from './run.store.js';

const HEARTBEAT_MS = 2_000;
/** How long a step that ignores its signal keeps its lease, so that it does not run twice at a time. */
const OVERRUN_MS = 60_000;

/** The run was cancelled, or another process took its step over. */
class StepLostError extends Error {}

/** A step of a run to execute. */
export interface StepExecution {
  readonly job: PluginJobRecord;
  readonly delivery: DeliveryContext;
  /** Collects the jobs and events of the step; the hub context of the delivery writes to it. */
  readonly effects: StepEffects;
  /** Aborts at the time limit of the step and at the shutdown. */
  readonly signal: AbortSignal;
  /** Calls the handler. */
  readonly call: (run: PluginRun, delivery: DeliveryContext) => Promise<unknown>;
}

/** Executes single steps of runs. */
@Injectable()
export class RunExecutor {
  constructor(private readonly store: RunStore) {}

  /**
   * Executes the step of a job and commits it.
   * @returns `busy` while another process executes it, `skipped` if there is nothing to do any more
   * @throws the error of the handler; the step can be tried again
   */
  async execute(execution: StepExecution): Promise<'done' | 'skipped' | 'busy'> {
    const { job } = execution;
    const { run: id, step } = job.payload as StepPayload;
    const ref = { workspaceId: job.workspaceId, id };
    const lease = newId();
    const run = await this.store.claim(ref, step, lease);
    if (run === 'owned') return 'busy';
    if (!run) return 'skipped';
    try {
      await this.runStep(execution, ref, run, lease);
      return 'done';
    } catch (error) {
      if (error instanceof StepLostError) return 'skipped';
      throw error;
    }
  }

  /** Fails the run of a job that was given up. */
  async fail(
    { workspaceId, payload }: Pick<PluginJobRecord, 'workspaceId' | 'payload'>,
    reason: string,
  ): Promise<void> {
    const { run: id, step } = payload as StepPayload;
    await this.store.fail({ workspaceId, id }, step, reason);
  }

  private async runStep(execution: StepExecution, ref: RunRef, run: ClaimedRun, lease: string): Promise<void> {
    const { job, effects, signal: stepSignal } = execution;
    const lost = new AbortController();
    const signal = AbortSignal.any([stepSignal, lost.signal]);
    const { id, name, input, state, step } = run;
    const attempt = job.attempts + 1;
    const progress = toProgress(run);
    const recorder = new StepRecorder({ id, name, input, state, step, attempt, signal, progress });
    const heartbeat = new PeriodicTimer({
      intervalMs: HEARTBEAT_MS,
      run: async () => {
        if (!(await this.store.renew(ref, lease, recorder.progress))) lost.abort(new StepLostError());
      },
      // Without the database the step goes on; its commit says whether it still owns the lease.
      onFailure: () => undefined,
    }).start();
    const delivery = toStepDelivery(execution.delivery, run, signal);
    const returned = execution.call(recorder.toRun(), delivery);
    try {
      const result = parseStepResult(name, await Promise.race([returned, rejectOnAbort(signal)]));
      const finished = { step, lease, result, progress: recorder.progress, reports: recorder.reports, effects };
      if (!(await this.store.commit(ref, finished))) throw new StepLostError();
      await heartbeat.stop();
    } catch (error) {
      void this.releaseWhenSettled(ref, lease, returned, heartbeat);
      throw error;
    }
  }

  private async releaseWhenSettled(
    ref: RunRef,
    lease: string,
    returned: Promise<unknown>,
    heartbeat: PeriodicTimer,
  ): Promise<void> {
    await settlesWithin(
      OVERRUN_MS,
      returned.catch(() => undefined),
    );
    await heartbeat.stop();
    // A lease that cannot be given back expires.
    await this.store.release(ref, lease).catch(() => undefined);
  }
}

/** Returns the delivery with a hub for one step: its graph derives external IDs, and its signal ends with the run. */
function toStepDelivery(
  { hub, reportOutcome }: DeliveryContext,
  run: ClaimedRun,
  signal: AbortSignal,
): DeliveryContext {
  const stepHub: HubContext = { ...hub, graph: withStepIds(hub.graph, run.id, run.step), signal };
  attachRedactor(stepHub, findRedactor([hub]));
  const isLost = () => signal.reason instanceof StepLostError;
  return { hub: Object.freeze(stepHub), reportOutcome: async error => (isLost() ? undefined : reportOutcome(error)) };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
