import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job, Worker } from 'bullmq';
import type { HubWorker } from './hub-worker.js';
import { errorMessage } from '../telemetry/throttled-logger.js';

/** A job that a worker is processing. */
export type ActiveJob<Data> = Pick<
  Job<Data, void, string>,
  'id' | 'name' | 'data' | 'attemptsMade' | 'deferredFailure' | 'updateData'
>;

/**
 * Processes the jobs of one queue; decorate subclasses with `@Processor(queueName)`. A job may be delivered twice, so
 * processing must be idempotent.
 */
export abstract class JobProcessor<Data> extends WorkerHost {
  private readonly failureLog = new Logger('Queues');

  /**
   * Processes a job; if it throws, the job is retried later. `signal` aborts when the process will not wait any
   * longer.
   */
  abstract run(job: ActiveJob<Data>, signal: AbortSignal): Promise<void>;

  /** Handles a job that will not be retried: its attempts are exhausted, or workers died over it too often. */
  abstract onExhausted(job: ActiveJob<Data>, error: Error): Promise<void>;

  /** Called by BullMQ, whose worker passes the signal. */
  process(job: Job<Data, void, string>, _token?: string, signal?: AbortSignal): Promise<void> {
    return this.run(job, signal!);
  }

  /** Called by BullMQ after each failed attempt. */
  @OnWorkerEvent('failed')
  handleFailure(job: Job<Data, void, string> | undefined, error: Error): void {
    if (job?.finishedOn === undefined) return;
    this.hubWorker.track(this.onExhausted(job, error)).catch((cause: unknown) => {
      this.failureLog.warn(
        `the failure of job ${job.id} of queue "${this.worker.name}" could not be recorded: ${errorMessage(cause)}`,
      );
    });
  }

  /** Returns the worker of this processor. */
  get hubWorker(): HubWorker {
    return this.worker as Worker as unknown as HubWorker;
  }
}
