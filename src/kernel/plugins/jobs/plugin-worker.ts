import { Logger } from '@nestjs/common';
import type { PluginHandler } from '#sdk/handlers.js';
import { outsideRequest } from '#kernel/context/request-context.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { HeldJob, JobHandler } from '#kernel/queue/job.handler.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { limited } from '../cell/limit.js';
import type { Delivery, DeliveryContexts } from '../delivery-contexts.js';
import type { ReadyPlugin } from '../plugin-catalogue.js';
import type { JobDispatcher } from './job-dispatcher.js';
import { handOver, SomeFailed } from './gathered-events.js';
import { failureOf } from './job-outcome.js';
import type { JobReaders } from './job-readers.js';
import { type Running, runningOf } from './job.settings.js';
import type { JobStore } from './job-store.js';
import type { JobTicket, PluginJob } from './plugin-job.js';
import type { JobEnd, PluginMetrics } from './plugin-metrics.js';
import { Room } from './room.js';

/** What a worker stands on. */
export interface WorkerParts {
  readonly store: JobStore;
  readonly readers: JobReaders;
  readonly contexts: DeliveryContexts;
  readonly dispatcher: JobDispatcher;
  readonly metrics: PluginMetrics;
}

/** A job for which there was no room is looked at again after this long, in milliseconds. */
const CROWDED_MS = 100;

const HANDLERS = { job: 'jobs', event: 'events', inbound: 'inbound' } as const;

/** Does the jobs of one plugin. The row in the database is the record: a ticket without one was done before. */
export class PluginWorker implements JobHandler<JobTicket> {
  private readonly log = new Logger('plugins');
  private readonly rooms = new Map<string, Room>();

  constructor(
    private readonly plugin: ReadyPlugin,
    private readonly parts: WorkerParts,
  ) {}

  /** Jobs at once that the manifest asks for, of all kinds together; 50 at most. */
  static concurrencyOf({ manifest }: ReadyPlugin): number {
    const jobs = Object.values(manifest.jobs ?? {}).map(job => runningOf(job).concurrency);
    const others = manifest.consumes?.length || manifest.inbound ? runningOf().concurrency : 0;
    return Math.min(
      jobs.reduce((sum, each) => sum + each, others),
      50,
    );
  }

  /** Whatever the handler does is written to the row; only what keeps that from being written is thrown. */
  async run({ data }: HeldJob<JobTicket>, shutdown: AbortSignal): Promise<void> {
    const job = await this.parts.store.find(data);
    if (!job) return;
    const running = this.runningOf(job);
    const room = this.roomOf(job, running);
    if (!(await room.enter())) {
      this.parts.dispatcher.wakeIn(CROWDED_MS);
      return this.parts.store.putOff(job, CROWDED_MS, job);
    }
    try {
      this.parts.metrics.ended(this.plugin.id, await this.attempt(job, running, shutdown));
    } finally {
      room.leave();
      this.parts.dispatcher.wake();
    }
  }

  /** Workers died over it too often, or its outcome could not be written down. */
  async givenUp({ data }: HeldJob<JobTicket>, error: Error): Promise<void> {
    await this.parts.store.bury(data, `Given up by the queue: ${reasonOf(error)}`);
    this.parts.metrics.ended(this.plugin.id, 'dead');
  }

  private async attempt(job: PluginJob, running: Running, shutdown: AbortSignal): Promise<JobEnd> {
    try {
      const end = await this.deliver(job, running, shutdown);
      await (end === 'held' ? this.parts.store.lock(job) : this.parts.store.done(job));
      return end;
    } catch (error) {
      // Whoever does it after the restart begins anew; that the process ends is no fault of the job.
      if (shutdown.aborted) throw error;
      return this.settle(job, running, error);
    }
  }

  private async deliver(job: PluginJob, { timeoutMs }: Running, outer: AbortSignal): Promise<JobEnd> {
    if (job.plan === null) return 'skipped';
    if (!PlanGate.may(job.plan, this.plugin.manifest.minPlan)) return 'held';
    const handler = this.handlerOf(job);
    const { workspaceId, connectionId } = job;
    return limited({ timeoutMs, outer }, async signal => {
      const wish = { workspaceId, plugin: this.plugin, connectionId, signal };
      const [made, first] = await Promise.all([this.parts.contexts.of(wish), this.parts.readers.read(job)]);
      if (!made || first === undefined) return 'skipped';
      const call = (each: unknown) => this.handle(handler, each, made, signal);
      const isMany = Array.isArray(first) || handler.gathers;
      await (isMany ? handOver([first].flat(), handler, call, signal) : call(first));
      return 'done';
    });
  }

  /** The connection hears of it before the try ends, and also when a handler does not heed that its time is up. */
  private async handle(handler: PluginHandler, first: unknown, { hub, ended }: Delivery, signal: AbortSignal) {
    const late = () => void ended(signal.reason);
    signal.addEventListener('abort', late, { once: true });
    try {
      await outsideRequest(() => this.plugin.cell.call(handler, first, hub));
    } catch (error) {
      if (!signal.aborted) await ended(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', late);
    }
    if (!signal.aborted) await ended();
  }

  private async settle(job: PluginJob, running: Running, error: unknown): Promise<JobEnd> {
    const failure = failureOf(job, running, error instanceof SomeFailed ? error.cause : error);
    if (error instanceof SomeFailed) await this.parts.store.keepOnly(job, error.places);
    const what = { plugin: job.plugin, [job.kind]: job.name, job: job.id, try: job.attempts + 1, err: error };
    if (failure.fate === 'dead') {
      await this.parts.store.bury(job, failure.reason);
      this.log.error({ msg: `a ${job.kind} of the plugin "${job.plugin}" was given up`, ...what });
      return 'dead';
    }
    await this.parts.store.putOff(job, failure.inMs, failure);
    this.parts.dispatcher.wakeIn(failure.inMs);
    this.log.debug({ msg: `a ${job.kind} of the plugin "${job.plugin}" is tried again`, ...what });
    return failure.deferrals > job.deferrals ? 'deferred' : 'failed';
  }

  private handlerOf({ kind, name }: PluginJob): PluginHandler {
    const found = this.plugin.cell.handlers[HANDLERS[kind]].find(handler => handler.name === name);
    if (found) return found;
    throw new Error(`Version ${this.plugin.version} of the plugin takes no ${kind} "${name}".`);
  }

  private runningOf({ kind, name }: PluginJob): Running {
    return runningOf(kind === 'job' ? (this.plugin.manifest.jobs?.[name] ?? {}) : undefined);
  }

  private roomOf({ kind, name }: PluginJob, { concurrency }: Running): Room {
    const key = kind === 'job' ? `job ${name}` : 'deliveries';
    let room = this.rooms.get(key);
    if (!room) this.rooms.set(key, (room = new Room(concurrency)));
    return room;
  }
}
