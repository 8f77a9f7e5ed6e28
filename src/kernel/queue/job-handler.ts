import type { Job } from 'bullmq';

/** A job in the hands of a worker. */
export type ActiveJob<Data> = Pick<
  Job<Data, void, string>,
  'id' | 'name' | 'data' | 'attemptsMade' | 'deferredFailure' | 'updateData'
>;

/** What is done with the jobs of one queue. A job may be handed out twice, so doing it again must do no harm. */
export interface JobHandler<Data> {
  /** Does the job; throwing has it tried again later. `signal` aborts when the process will not wait any longer. */
  run(job: ActiveJob<Data>, signal: AbortSignal): Promise<void>;
  /** The job will not be tried again: its attempts are used up, or workers died over it too often. */
  onExhausted(job: ActiveJob<Data>, error: Error): Promise<void>;
}
