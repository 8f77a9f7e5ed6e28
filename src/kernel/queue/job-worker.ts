import type { Job } from 'bullmq';
import type { JobHandler } from './job-handler.js';
import { WORKER_CLOSE_TIMEOUT_MS } from './queue-options.js';
import { errorMessage, ThrottledLogger, type WarnLogger } from '../telemetry/throttled-logger.js';
import { settlesWithin } from '../scheduling/timeout.js';

/** The part of BullMQ's worker that is used here, the same over every backend. */
export interface BullWorker<Data> {
  readonly name: string;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: Job<Data, void, string> | undefined, error: Error) => void): unknown;
  isRunning(): boolean;
  pause(doNotWaitActive: boolean): Promise<void>;
  close(force?: boolean): Promise<void>;
  disconnect(): Promise<void>;
}

const BOOKKEEPING_TIMEOUT_MS = 1_000;

/** A worker of one queue in this process. It tracks its active jobs, so that it can be closed in bounded time. */
export class JobWorker<Data> {
  private readonly activeJobs = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
  private readonly worker: BullWorker<Data>;
  private closed: Promise<void> | undefined;

  constructor(
    open: (process: (job: Job<Data, void, string>) => Promise<void>) => BullWorker<Data>,
    handler: JobHandler<Data>,
    log: WarnLogger,
  ) {
    this.worker = open(job => this.track(handler.run(job, this.stopping.signal)));
    const errorLogger = new ThrottledLogger(log, `worker of queue "${this.worker.name}"`);
    this.worker.on('error', error => errorLogger.warn(error));
    this.worker.on('failed', (job, error) => {
      if (job?.finishedOn === undefined) return;
      this.track(handler.onExhausted(job, error)).catch(cause =>
        log.warn(
          `the failure of job ${job.id} of queue "${this.worker.name}" could not be recorded: ${errorMessage(cause)}`,
        ),
      );
    });
  }

  /** Name of the queue. */
  get name(): string {
    return this.worker.name;
  }

  /** Returns false after the loop that fetches jobs has ended. */
  isRunning(): boolean {
    return this.worker.isRunning();
  }

  /**
   * Stops fetching jobs and waits for the active ones, at most `graceMs` milliseconds. Jobs that still run are
   * aborted by their signal; those that ignore it are abandoned, and another worker takes them when their lock
   * expires.
   */
  close(graceMs = WORKER_CLOSE_TIMEOUT_MS): Promise<void> {
    return (this.closed ??= this.shutDown(graceMs));
  }

  private async shutDown(graceMs: number): Promise<void> {
    await this.worker.pause(true);
    const finished = await settlesWithin(graceMs, this.waitUntilIdle());
    this.stopping.abort(new Error('the process is shutting down'));
    const idle = finished || (await settlesWithin(BOOKKEEPING_TIMEOUT_MS, this.waitUntilIdle()));
    const closed = await settlesWithin(BOOKKEEPING_TIMEOUT_MS, this.worker.close(!idle));
    if (!closed) await settlesWithin(BOOKKEEPING_TIMEOUT_MS, this.worker.disconnect());
  }

  private async waitUntilIdle(): Promise<void> {
    while (this.activeJobs.size > 0) await Promise.allSettled(this.activeJobs);
  }

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.activeJobs.delete(tracked));
    this.activeJobs.add(tracked);
    return tracked;
  }
}
