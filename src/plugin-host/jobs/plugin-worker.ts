import type { PluginHandler } from '#sdk/handlers.js';
import { Logger } from '@nestjs/common';
import { runDetached } from '#kernel/request-context.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { ActiveJob } from '#kernel/queue/hub-worker.js';
import { FairGate } from '#kernel/scheduling/cooperative-scheduler.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import { settlesWithin, TimeoutError } from '#kernel/scheduling/timeout.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { HandlerTimeoutError, withDeadline } from '../container/deadline.js';
import type { DeliveryContext, DeliveryContextFactory } from '../context/delivery-context.factory.js';
import type { ReadyPlugin } from '../host/plugin.registry.js';
import type { JobDispatcher } from './job.dispatcher.js';
import { deliverBatch, PartialBatchFailureError } from './event-batch.js';
import { toJobFailure, type JobPolicy, resolveJobPolicy, resolveRunPolicy } from './job.options.js';
import type { PayloadLoaders, JobMessage, PluginJobRecord } from './plugin-job.js';
import type { JobStore } from './job.store.js';
import type { RunExecutor } from '../runs/run.executor.js';
import type { JobOutcome, PluginMetrics } from './plugin-metrics.js';

/** Services that a worker uses. */
export interface WorkerDependencies {
  readonly store: JobStore;
  readonly payloads: PayloadLoaders;
  readonly contexts: DeliveryContextFactory;
  readonly dispatcher: JobDispatcher;
  readonly metrics: PluginMetrics;
  readonly runs: RunExecutor;
}

/** How long a job waits in the queue for a slot before it leaves its place there to others, in milliseconds. */
const SLOT_TIMEOUT_MS = 50;

/** Delay before a job is tried again that got no slot, in milliseconds. */
const AT_CAPACITY_RETRY_MS = 100;

/** How long a handler may take to end after its time limit before its place is given to others, in milliseconds. */
const OVERRUN_GRACE_MS = 1_000;
/** How often a job whose handler overruns is marked as still running. */
const OVERRUN_HEARTBEAT_MS = 10_000;

const HANDLERS_BY_KIND = { job: 'jobs', event: 'events', inbound: 'inbound', run: 'runs' } as const;

/** Delay before a step is tried again that another process still owns, in milliseconds. */
const BUSY_RETRY_MS = 1_000;

/** An attempt that has begun. */
interface Attempt {
  /** Settles when the handler has ended, also after its time limit. */
  work: Promise<JobOutcome | 'busy'> | undefined;
}

/** Runs the jobs of one plugin. The row in the database decides: a message without a row refers to a finished job. */
export class PluginWorker {
  private readonly log = new Logger('plugins');
  private readonly gates = new Map<string, FairGate>();

  constructor(
    private readonly plugin: ReadyPlugin,
    private readonly dependencies: WorkerDependencies,
  ) {}

  /**
   * Runs the job of a message and saves its outcome. Rejects only if the outcome cannot be saved or the process ends.
   */
  async run({ data }: ActiveJob<JobMessage>, shutdown: AbortSignal): Promise<void> {
    const job = await this.dependencies.store.find(data);
    if (!job) return;
    const policy = this.resolvePolicy(job);
    const gate = this.getGate(job, policy);
    if (!(await hasEntered(gate, job.workspaceId))) {
      this.dependencies.dispatcher.wakeIn(AT_CAPACITY_RETRY_MS);
      return this.dependencies.store.reschedule(job, AT_CAPACITY_RETRY_MS, job);
    }
    try {
      this.dependencies.metrics.countOutcome(this.plugin.id, await this.runAttempt(job, policy, shutdown));
    } finally {
      gate.leave(job.workspaceId);
      this.dependencies.dispatcher.wake();
    }
  }

  /** Makes a dead letter of a job whose workers crashed too often or whose outcome could not be saved. */
  async onExhausted({ data }: ActiveJob<JobMessage>, error: Error): Promise<void> {
    const reason = `Given up by the queue: ${errorMessage(error)}`;
    const job = await this.dependencies.store.find(data);
    if (job?.kind === 'run') await this.giveUpRun(job, reason);
    else await this.dependencies.store.deadLetter(data, reason);
    this.dependencies.metrics.countOutcome(this.plugin.id, 'dead');
  }

  private async runAttempt(job: PluginJobRecord, policy: JobPolicy, shutdown: AbortSignal): Promise<JobOutcome> {
    const attempt: Attempt = { work: undefined };
    try {
      const outcome = await this.deliver(job, policy, shutdown, attempt);
      if (outcome === 'busy') {
        this.dependencies.dispatcher.wakeIn(BUSY_RETRY_MS);
        await this.dependencies.store.reschedule(job, BUSY_RETRY_MS, job);
        return 'deferred';
      }
      await (outcome === 'held' ? this.dependencies.store.hold(job) : this.dependencies.store.complete(job));
      return outcome;
    } catch (error) {
      // The shutdown is not a failure of the job: it is run again after the restart, with the same number of attempts.
      if (shutdown.aborted) throw error;
      const { work } = attempt;
      const isRetried = toJobFailure(job, policy, error).disposition !== 'dead';
      const isOverrun = error instanceof HandlerTimeoutError && job.kind !== 'run' && isRetried && work;
      if (isOverrun && !(await settlesWithin(OVERRUN_GRACE_MS, work))) {
        void this.recordOverrun(job, policy, { error, work, shutdown });
        return 'failed';
      }
      return this.recordFailure(job, policy, error);
    }
  }

  /**
   * Waits until a handler ends that goes on after its time limit, and then records its failure, so that the next attempt does
   * not run beside it. Until then the job is marked as running; if this process dies, it is tried again.
   */
  private async recordOverrun(
    job: PluginJobRecord,
    policy: JobPolicy,
    { error, work, shutdown }: { error: unknown; work: Promise<unknown>; shutdown: AbortSignal },
  ): Promise<void> {
    this.log.warn(
      `A ${job.kind} "${job.name}" of the plugin "${job.plugin}" goes on after its time limit: its handler has to end ` +
        'when hub.signal aborts. It is not tried again before.',
    );
    const heartbeat = new PeriodicTimer({
      intervalMs: OVERRUN_HEARTBEAT_MS,
      run: () => this.dependencies.store.markRunning(job),
    }).start();
    const stopped = new Promise<void>(resolve => shutdown.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([stopped, work.catch(() => undefined)]);
    await heartbeat.stop();
    if (shutdown.aborted) return;
    await this.recordFailure(job, policy, error).catch((failure: unknown) => {
      // The mark of the job becomes old, and so it is tried again.
      this.log.warn(`The outcome of a ${job.kind} could not be saved: ${errorMessage(failure)}`);
    });
  }

  private async deliver(
    job: PluginJobRecord,
    { timeoutMs }: JobPolicy,
    parentSignal: AbortSignal,
    attempt: Attempt,
  ): Promise<JobOutcome | 'busy'> {
    if (job.plan === null) return 'skipped';
    if (!PlanGate.isAllowed(job.plan, this.plugin.manifest.minPlan)) return 'held';
    const handler = this.findHandler(job);
    const { workspaceId, connectionId } = job;
    const work = async (signal: AbortSignal): Promise<JobOutcome | 'busy'> => {
      const effects = job.kind === 'run' ? { jobs: [], events: [] } : undefined;
      const scope = { workspaceId, plugin: this.plugin, connectionId, signal, effects };
      const [delivery, first] = await Promise.all([
        this.dependencies.contexts.create(scope),
        this.dependencies.payloads.load(job),
      ]);
      if (job.kind === 'run' && !delivery) await this.dependencies.runs.fail(job, 'Its connection was removed.');
      if (!delivery || first === undefined) return 'skipped';
      if (effects) {
        const callStep = (run: unknown, context: DeliveryContext) => this.handle(handler, run, context, signal);
        return this.dependencies.runs.execute({ job, delivery, effects, signal, call: callStep });
      }
      const call = (each: unknown) => this.handle(handler, each, delivery, signal);
      const isBatch = Array.isArray(first) || handler.batched;
      await (isBatch ? deliverBatch([first].flat(), handler, call, signal) : call(first));
      return 'done';
    };
    return withDeadline({ timeoutMs, parentSignal }, signal => (attempt.work = work(signal)));
  }

  /**
   * Calls a handler and records the outcome on its connection, also at the deadline of a handler that ignores the
   * signal.
   */
  private async handle(
    handler: PluginHandler,
    first: unknown,
    { hub, reportOutcome }: DeliveryContext,
    signal: AbortSignal,
  ): Promise<unknown> {
    const onAbort = () => void reportOutcome(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    let returned: unknown;
    try {
      returned = await runDetached(() => this.plugin.container.call(handler, first, hub));
    } catch (error) {
      if (!signal.aborted) await reportOutcome(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    if (!signal.aborted) await reportOutcome();
    return returned;
  }

  private async recordFailure(job: PluginJobRecord, policy: JobPolicy, error: unknown): Promise<JobOutcome> {
    const failure = toJobFailure(job, policy, error instanceof PartialBatchFailureError ? error.cause : error);
    if (error instanceof PartialBatchFailureError) await this.dependencies.store.retainFailed(job, error.failedIndexes);
    const details = { plugin: job.plugin, [job.kind]: job.name, job: job.id, try: job.attempts + 1, err: error };
    if (failure.disposition === 'dead' && job.kind === 'run') {
      await this.giveUpRun(job, failure.reason);
      this.log.warn({ msg: `a run of the plugin "${job.plugin}" failed`, ...details });
      return 'dead';
    }
    if (failure.disposition === 'dead') {
      await this.dependencies.store.deadLetter(job, failure.reason);
      this.log.error({ msg: `a ${job.kind} of the plugin "${job.plugin}" was given up`, ...details });
      return 'dead';
    }
    await this.dependencies.store.reschedule(job, failure.delayMs, failure);
    this.dependencies.dispatcher.wakeIn(failure.delayMs);
    this.log.debug({ msg: `a ${job.kind} of the plugin "${job.plugin}" failed and will be retried`, ...details });
    return failure.deferrals > job.deferrals ? 'deferred' : 'failed';
  }

  /** Fails the run of a step. A user retries it, not an operator, so the job goes. */
  private async giveUpRun(job: PluginJobRecord, reason: string): Promise<void> {
    await this.dependencies.runs.fail(job, reason);
    await this.dependencies.store.complete(job);
  }

  private findHandler({ kind, name }: PluginJobRecord): PluginHandler {
    const found = this.plugin.container.handlers[HANDLERS_BY_KIND[kind]].find(handler => handler.name === name);
    if (found) return found;
    throw new Error(`Version ${this.plugin.version} of the plugin has no handler for the ${kind} "${name}".`);
  }

  private resolvePolicy({ kind, name }: PluginJobRecord): JobPolicy {
    if (kind === 'run') return resolveRunPolicy(this.plugin.manifest.runs?.[name] ?? { title: name });
    return resolveJobPolicy(kind === 'job' ? (this.plugin.manifest.jobs?.[name] ?? {}) : undefined);
  }

  private getGate({ kind, name }: PluginJobRecord, { concurrency }: JobPolicy): FairGate {
    const key = kind === 'job' || kind === 'run' ? `${kind} ${name}` : 'deliveries';
    let gate = this.gates.get(key);
    if (!gate) this.gates.set(key, (gate = createGate(concurrency)));
    return gate;
  }
}

/** A workspace that is alone leaves one slot to the others, because nobody knows how long its jobs take. */
function createGate(concurrency: number): FairGate {
  const maxShared = Math.max(1, Math.floor(concurrency / 2));
  return new FairGate({ maxTotal: concurrency, maxShared, maxAlone: Math.max(1, concurrency - 1) });
}

async function hasEntered(gate: FairGate, workspace: string): Promise<boolean> {
  try {
    await gate.enter(workspace, SLOT_TIMEOUT_MS);
    return true;
  } catch (error) {
    if (error instanceof TimeoutError) return false;
    throw error;
  }
}
