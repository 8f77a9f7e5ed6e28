import { type IQueueBackend, type Job, type JobProgress, type Processor, Worker, type WorkerOptions } from 'bullmq';
import { WORKER_CLOSE_TIMEOUT_MS, defaultWorkerOptions } from './queue-options.js';
import type { QueueServer } from './queue-server.js';
import { settlesWithin } from '../scheduling/timeout.js';

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
