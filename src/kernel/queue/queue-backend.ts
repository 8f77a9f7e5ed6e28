import type { DefaultJobOptions, Queue } from 'bullmq';
import type { JobHandler } from './job-handler.js';
import type { JobWorker } from './job-worker.js';

/** A queue to which jobs are added. */
export type JobQueue<Data> = Pick<Queue<Data, void, string>, 'name' | 'add' | 'addBulk' | 'getJobCounts'>;

/** Storage of the queues. Both kinds use BullMQ. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres';
  /** Opens a queue for adding; an add fails within seconds while the server is unavailable. */
  openQueue<Data>(name: string, jobs: DefaultJobOptions): Promise<JobQueue<Data>>;
  /** Opens a worker that starts at once, waits while the server is unavailable, and continues afterwards. */
  openWorker<Data>(name: string, handler: JobHandler<Data>, concurrency: number): Promise<JobWorker<Data>>;
  /** Resolves if the server responds; otherwise rejects or stays pending. */
  ping(): Promise<void>;
  /** Closes workers, queues and connections, in bounded time. */
  close(): Promise<void>;
}
