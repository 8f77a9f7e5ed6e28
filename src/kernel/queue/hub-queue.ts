import { type DefaultJobOptions, type IQueueBackend, type JobsOptions, Queue, type QueueOptions } from 'bullmq';
import type { QueueServer } from './queue-server.js';

/** Key prefix in Redis; the braces make it a hash tag, so that Redis Cluster keeps all queues in one slot. */
export const QUEUE_PREFIX = '{rapport}';

/** Schema of the queues in PostgreSQL; BullMQ expects this name if it is given a pool. */
export const QUEUE_SCHEMA = 'bullmq';

const HOUR_SECONDS = 3600;

/**
 * Default job options: 12 attempts with a delay between half and all of 0.5 s x 2^n (about a quarter of an hour in
 * total), and a bounded history of ended jobs.
 */
export const defaultJobOptions: DefaultJobOptions = {
  attempts: 12,
  backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
  removeOnComplete: { count: 1000, age: HOUR_SECONDS },
  removeOnFail: { count: 5000, age: 7 * 24 * HOUR_SECONDS },
};

/**
 * Lock options of workers. The lock is renewed at half its duration; the job of a dead process is found at the first
 * check after the lock has expired, which is 6 to 9 s later. Milliseconds, except `drainDelay` (seconds).
 */
export const defaultWorkerOptions = {
  lockDuration: 6_000,
  stalledInterval: 3_000,
  maxStalledCount: 3,
  drainDelay: 5,
  runRetryDelay: 1_000,
} as const;

/** Bounds BullMQ's own event stream, which only its tools read. */
export const defaultStreamOptions = { events: { maxLen: 1000 } } as const;

/** How long a closing worker waits for its active jobs, in milliseconds. */
export const WORKER_CLOSE_TIMEOUT_MS = 10_000;

/** The part of a queue that adds jobs. */
export interface JobQueue<Data> {
  readonly name: string;
  /** Adds a job; does nothing if the queue has a job with the same `jobId`. */
  add(name: string, data: Data, options?: JobsOptions): Promise<unknown>;
  /** Adds several jobs in one round trip, each like {@link add}. */
  addBulk(jobs: { name: string; data: Data; opts?: JobsOptions }[]): Promise<unknown>;
}

/**
 * A queue on the {@link QueueServer} that its options name as `connection`. An add fails within seconds while the server
 * is unavailable.
 */
export class HubQueue extends Queue<unknown, void, string, unknown, void, string, IQueueBackend, unknown> {
  private readonly server: QueueServer;

  constructor(name: string, options: QueueOptions<unknown>) {
    const server = options.connection as QueueServer;
    const { queueConnection, backendFactory, waitForReady } = server.connections;
    const ownOptions = {
      ...options,
      connection: queueConnection,
      streams: defaultStreamOptions,
      skipWaitingForReady: !waitForReady,
      skipVersionCheck: !waitForReady,
    };
    super(name, ownOptions, backendFactory);
    this.server = server;
    // @nestjs/bullmq opens the workers of a queue on the connection of its options.
    this.opts = { ...this.opts, connection: server };
    const errorLog = server.createErrorLog(`queue "${name}"`);
    this.on('error', error => errorLog.warn(error));
    server.addQueue(this);
  }

  /** Resolves when jobs can be added, or at once if the server may come up later. */
  async whenUsable(): Promise<void> {
    if (this.server.connections.waitForReady) await this.waitUntilReady();
  }

  override async close(): Promise<void> {
    this.server.removeClient(this);
    await super.close();
  }
}
