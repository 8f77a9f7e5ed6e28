import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { type Job, Worker, type IQueueBackend, type JobProgress, type Processor, type WorkerOptions } from 'bullmq';
import { errorMessage } from '../telemetry/throttled-logger.js';
import { WORKER_CLOSE_TIMEOUT_MS, defaultWorkerOptions } from './hub-queue.js';
import type { QueueServer } from './queue-server.js';
import { settlesWithin } from '../scheduling/timeout.js';

/** A job that a worker is processing. */
export type ActiveJob<Data> = Pick<
  Job<Data, void, string>,
  'id' | 'name' | 'data' | 'attemptsMade' | 'deferredFailure' | 'updateData'
>;

/**
 * Processes the jobs of one queue; decorate subclasses with `@Processor(queueName)`. A job may be delivered twice, so
 * processing must be idempotent.
 */
export abstract class JobProcessor<Data> extends WorkerHost {
  private readonly failureLog = new Logger('Queues');

  /**
   * Processes a job; if it throws, the job is retried later. `signal` aborts when the process will not wait any
   * longer.
   */
  abstract run(job: ActiveJob<Data>, signal: AbortSignal): Promise<void>;

  /** Handles a job that will not be retried: its attempts are exhausted, or workers died over it too often. */
  abstract onExhausted(job: ActiveJob<Data>, error: Error): Promise<void>;

  /** Called by BullMQ, whose worker passes the signal. */
  process(job: Job<Data, void, string>, _token?: string, signal?: AbortSignal): Promise<void> {
    return this.run(job, signal!);
  }

  /** Called by BullMQ after each failed attempt. */
  @OnWorkerEvent('failed')
  handleFailure(job: Job<Data, void, string> | undefined, error: Error): void {
    if (job?.finishedOn === undefined) return;
    this.hubWorker.track(this.onExhausted(job, error)).catch((cause: unknown) => {
      this.failureLog.warn(
        `the failure of job ${job.id} of queue "${this.worker.name}" could not be recorded: ${errorMessage(cause)}`,
      );
    });
  }

  /** Returns the worker of this processor. */
  get hubWorker(): HubWorker {
    return this.worker as Worker as unknown as HubWorker;
  }
}

const BOOKKEEPING_TIMEOUT_MS = 1_000;

/**
 * A worker on the {@link QueueServer} that its options name as `connection`. It fetches jobs after {@link start}, waits
 * while the server is unavailable, and can be closed in bounded time.
 */
export class HubWorker extends Worker<unknown, void, string, IQueueBackend, JobProgress, unknown> {
  private readonly server: QueueServer;
  private readonly activeWork = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
  private shutDown: Promise<void> | undefined;

  constructor(name: string, processor: Processor<unknown, void>, options: WorkerOptions<unknown>) {
    const server = options.connection as QueueServer;
    const { createWorkerConnection, backendFactory } = server.connections;
    const ownOptions = { ...defaultWorkerOptions, ...options, connection: createWorkerConnection(), autorun: false };
    super(name, processor, ownOptions, backendFactory);
    this.server = server;
    const errorLog = server.createErrorLog(`worker of queue "${name}"`);
    this.on('error', error => errorLog.warn(error));
    server.addWorker(this);
  }

  /** Starts to fetch jobs, once the server has been reached if it must be. */
  async start(): Promise<void> {
    if (this.server.connections.waitForReady) await this.waitUntilReady();
    if (this.shutDown) return;
    this.run().catch(error => this.emit('error', error as Error));
    this.server.addStarted(this);
  }

  /** Includes `work` in the active work that {@link close} waits for. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.activeWork.delete(tracked));
    this.activeWork.add(tracked);
    return tracked;
  }

  /**
   * Stops fetching jobs and waits up to 10 s for the active ones. Jobs that still run are aborted by their signal; those
   * that ignore it are abandoned, and another worker takes them when their lock expires.
   */
  override close(): Promise<void> {
    return this.closeWithin(WORKER_CLOSE_TIMEOUT_MS);
  }

  /** Closes the worker like {@link close} and waits at most `graceMs` milliseconds before jobs are aborted. */
  closeWithin(graceMs: number): Promise<void> {
    return (this.shutDown ??= this.closeInBoundedTime(graceMs));
  }

  /** Passes a job with a signal that aborts when the process does not wait any longer. */
  protected override callProcessJob(job: Job<unknown, void>, token: string): Promise<void> {
    return this.track(super.callProcessJob(job, token, this.stopping.signal));
  }

  private async closeInBoundedTime(graceMs: number): Promise<void> {
    await this.pause(true);
    const finished = await settlesWithin(graceMs, this.waitUntilIdle());
    this.stopping.abort(new Error('the process is shutting down'));
    const idle = finished || (await settlesWithin(BOOKKEEPING_TIMEOUT_MS, this.waitUntilIdle()));
    const closed = await settlesWithin(BOOKKEEPING_TIMEOUT_MS, super.close(!idle));
    if (!closed) await settlesWithin(BOOKKEEPING_TIMEOUT_MS, this.disconnect());
    this.server.removeClient(this);
  }

  private async waitUntilIdle(): Promise<void> {
    while (this.activeWork.size > 0) await Promise.allSettled(this.activeWork);
  }
}
