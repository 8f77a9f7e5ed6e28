import type { OnApplicationShutdown } from '@nestjs/common';
import type { DefaultJobOptions } from 'bullmq';
import type { JobHandler } from './job-handler.js';
import type { JobWorker } from './job-worker.js';
import type { JobQueue, QueueBackend } from './queue-backend.js';
import { defaultJobOptions } from './queue-options.js';

const DEFAULT_CONCURRENCY = 10;

/** Opens all job queues and workers of this process, in Redis or in PostgreSQL. */
export class Queues implements OnApplicationShutdown {
  private readonly workers = new Set<Pick<JobWorker<unknown>, 'name' | 'isRunning'>>();

  constructor(private readonly backend: QueueBackend) {}

  /** Storage of the queues. */
  get kind(): QueueBackend['kind'] {
    return this.backend.kind;
  }

  /**
   * Opens the queue `name` for adding.
   * @param jobs options that differ from {@link defaultJobOptions}
   */
  openQueue<Data>(name: string, jobs: DefaultJobOptions = {}): Promise<JobQueue<Data>> {
    return this.backend.openQueue(name, { ...defaultJobOptions, ...jobs });
  }

  /**
   * Opens a worker that processes the queue `name` with `handler`, at most `concurrency` (default 10) jobs at a time
   * in this process.
   */
  async openWorker<Data>(
    name: string,
    handler: JobHandler<Data>,
    concurrency = DEFAULT_CONCURRENCY,
  ): Promise<JobWorker<Data>> {
    const worker = await this.backend.openWorker(name, handler, concurrency);
    this.workers.add(worker);
    return worker;
  }

  /** Closes one worker, in bounded time; the others continue. */
  async closeWorker<Data>(worker: JobWorker<Data>): Promise<void> {
    this.workers.delete(worker);
    await worker.close();
  }

  /**
   * Resolves if the server of the queues responds and all workers of this process are running; may reject or stay
   * pending otherwise.
   */
  async ping(): Promise<void> {
    const idle = [...this.workers].find(worker => !worker.isRunning());
    if (idle) throw new Error(`the worker of queue "${idle.name}" has stopped`);
    await this.backend.ping();
  }

  /** Closes workers, queues and connections, in bounded time. */
  async onApplicationShutdown(): Promise<void> {
    await this.backend.close();
  }
}
