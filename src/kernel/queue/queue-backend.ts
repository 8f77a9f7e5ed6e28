import type { DefaultJobOptions, Queue } from 'bullmq';
import type { JobHandler } from './job-handler.js';
import type { JobWorker } from './job-worker.js';

/** A queue that jobs are put into. */
export type JobQueue<Data> = Pick<Queue<Data, void, string>, 'name' | 'add' | 'addBulk' | 'getJobCounts'>;

/** Where queues live. Both kinds have the same BullMQ above them. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres';
  /** Opens a queue for adding; an add fails within seconds while the server is away. */
  openQueue<Data>(name: string, jobs: DefaultJobOptions): Promise<JobQueue<Data>>;
  /** Opens a worker that begins at once, waits for a server that is away, and goes on when it is back. */
  openWorker<Data>(name: string, handler: JobHandler<Data>, concurrency: number): Promise<JobWorker<Data>>;
  /** Answers if the server does; rejects or stays silent otherwise. */
  ping(): Promise<void>;
  /** Closes workers, queues and connections, in bounded time. */
  close(): Promise<void>;
}
