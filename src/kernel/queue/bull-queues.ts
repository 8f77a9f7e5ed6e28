import { type BackendFactory, type DefaultJobOptions, type IQueueBackend, type Job, withBackend } from 'bullmq';
import type { JobHandler } from './job-handler.js';
import { JobWorker } from './job-worker.js';
import type { JobQueue } from './queue-backend.js';
import { QUEUE_PREFIX, defaultStreamOptions, defaultWorkerOptions } from './queue-options.js';
import { ThrottledLogger, type WarnLogger } from '../telemetry/throttled-logger.js';
import { settlesWithin } from '../scheduling/timeout.js';

const CLOSE_TIMEOUT_MS = 2_000;

/** The differences between BullMQ over Redis and over PostgreSQL. */
export interface BullConnections<B extends IQueueBackend, C> {
  readonly backendFactory: BackendFactory<B, C>;
  readonly queueConnection: C;
  readonly createWorkerConnection: () => C;
  /** Whether queues and workers must have connected before they are used; otherwise the server may come up later. */
  readonly waitForReady: boolean;
}

/**
 * Opens queues and workers with BullMQ over one backend. The backend is bound to each of them instead of to the
 * process, so that hubs with different backends can share a process.
 */
export class BullQueues<B extends IQueueBackend, C> {
  private readonly queues: { close(): Promise<void> }[] = [];
  private readonly workers: { close(): Promise<void> }[] = [];

  constructor(
    private readonly connections: BullConnections<B, C>,
    private readonly log: WarnLogger,
  ) {}

  async openQueue<Data>(name: string, jobs: DefaultJobOptions): Promise<JobQueue<Data>> {
    const { backendFactory, queueConnection, waitForReady } = this.connections;
    const { Queue } = withBackend(backendFactory);
    const queue = new Queue<Data, void>(name, {
      connection: queueConnection,
      prefix: QUEUE_PREFIX,
      defaultJobOptions: jobs,
      streams: defaultStreamOptions,
      skipWaitingForReady: !waitForReady,
      skipVersionCheck: !waitForReady,
    });
    const errorLogger = new ThrottledLogger(this.log, `queue "${name}"`);
    queue.on('error', error => errorLogger.warn(error));
    this.queues.push(queue);
    if (waitForReady) await queue.waitUntilReady();
    // BullMQ's types include the backend in every returned job, which nothing here uses.
    return queue as unknown as JobQueue<Data>;
  }

  async openWorker<Data>(name: string, handler: JobHandler<Data>, concurrency: number): Promise<JobWorker<Data>> {
    const { backendFactory, createWorkerConnection, waitForReady } = this.connections;
    const { Worker } = withBackend(backendFactory);
    let ready: Promise<void> = Promise.resolve();
    const open = (process: (job: Job<Data, void, string>) => Promise<void>) => {
      const options = {
        ...defaultWorkerOptions,
        connection: createWorkerConnection(),
        prefix: QUEUE_PREFIX,
        concurrency,
      };
      const worker = new Worker<Data, void>(name, process, options);
      if (waitForReady) ready = worker.waitUntilReady();
      return worker;
    };
    const worker = new JobWorker(open, handler, this.log);
    this.workers.push(worker);
    await ready;
    return worker;
  }

  /** Closes the workers, which wait for their active jobs, and then the queues. Takes bounded time. */
  async close(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.close()));
    await settlesWithin(CLOSE_TIMEOUT_MS, Promise.all(this.queues.map(queue => queue.close())));
  }
}
