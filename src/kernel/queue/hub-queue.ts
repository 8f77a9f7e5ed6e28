import { type IQueueBackend, type JobsOptions, Queue, type QueueOptions } from 'bullmq';
import { defaultStreamOptions } from './queue-options.js';
import type { QueueServer } from './queue-server.js';

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
