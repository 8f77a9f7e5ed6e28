import type { Job } from 'bullmq';

/** A job that a worker is processing. */
export type ActiveJob<Data> = Pick<
  Job<Data, void, string>,
  'id' | 'name' | 'data' | 'attemptsMade' | 'deferredFailure' | 'updateData'
>;

/** Processes the jobs of one queue. A job may be delivered twice, so processing must be idempotent. */
export interface JobHandler<Data> {
  /**
   * Processes a job; if it throws, the job is retried later. `signal` aborts when the process will not wait any
   * longer.
   */
  run(job: ActiveJob<Data>, signal: AbortSignal): Promise<void>;
  /** Called when a job will not be retried: its attempts are exhausted, or workers died over it too often. */
  onExhausted(job: ActiveJob<Data>, error: Error): Promise<void>;
}
