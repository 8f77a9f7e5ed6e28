import type { OnApplicationShutdown } from '@nestjs/common';
import type { DefaultJobOptions } from 'bullmq';
import type { JobHandler } from './job-handler.js';
import type { JobWorker } from './job-worker.js';
import type { JobQueue, QueueBackend } from './queue-backend.js';
import { defaultJobOptions } from './queue-options.js';

const DEFAULT_CONCURRENCY = 10;

/** The job queues of this process, in Redis or in PostgreSQL. The only place that queues and workers are opened at. */
export class Queues implements OnApplicationShutdown {
  private readonly workers = new Set<Pick<JobWorker<unknown>, 'name' | 'isRunning'>>();

  constructor(private readonly backend: QueueBackend) {}

  /** Where the queues live. */
  get kind(): QueueBackend['kind'] {
    return this.backend.kind;
  }

  /** Opens the queue `name` for adding. @param jobs what differs from {@link defaultJobOptions} */
  openQueue<Data>(name: string, jobs: DefaultJobOptions = {}): Promise<JobQueue<Data>> {
    return this.backend.openQueue(name, { ...defaultJobOptions, ...jobs });
  }

  /** Has `handler` do the jobs of the queue `name`, at most `concurrency` (default 10) at once in this process. */
  async openWorker<Data>(
    name: string,
    handler: JobHandler<Data>,
    concurrency = DEFAULT_CONCURRENCY,
  ): Promise<JobWorker<Data>> {
    const worker = await this.backend.openWorker(name, handler, concurrency);
    this.workers.add(worker);
    return worker;
  }

  /** Closes one worker while the others go on: its queue is not done here any more. In bounded time. */
  async closeWorker<Data>(worker: JobWorker<Data>): Promise<void> {
    this.workers.delete(worker);
    await worker.close();
  }

  /** Resolves if the server of the queues answers and the workers of this process work; may reject or stay silent. */
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
