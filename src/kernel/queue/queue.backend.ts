import type { DefaultJobOptions, Job, Queue } from 'bullmq';
import type { JobWorker } from './job.worker.js';

/** A queue that jobs are put into. */
export type JobQueue<Data> = Pick<Queue<Data, void, string>, 'name' | 'add' | 'addBulk' | 'getJobCounts'>;

/** A job in the hands of a worker. */
export type HeldJob<Data> = Pick<
  Job<Data, void, string>,
  'id' | 'name' | 'data' | 'attemptsMade' | 'deferredFailure' | 'updateData'
>;

/** What is done with the jobs of one queue. A job may be handed out twice, so doing it again must do no harm. */
export interface JobHandler<Data> {
  /** Does the job; throwing has it tried again later. `signal` aborts when the process will not wait any longer. */
  run(job: HeldJob<Data>, signal: AbortSignal): Promise<void>;
  /** The job will not be tried again: its attempts are used up, or workers died over it too often. */
  givenUp(job: HeldJob<Data>, error: Error): Promise<void>;
}

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
