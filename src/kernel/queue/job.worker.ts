import type { Job } from 'bullmq';
import type { JobHandler } from './job.handler.js';
import { CLOSING_GRACE_MS } from './queue.settings.js';
import { reasonOf, SparingLog, type TroubleLog } from './sparing.log.js';
import { endsWithin } from './within.js';

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

const BOOKKEEPING_MS = 1_000;

/** A worker of one queue in this process. It knows what it has at hand, so it can be closed in bounded time. */
export class JobWorker<Data> {
  private readonly atHand = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
  private readonly worker: BullWorker<Data>;
  private closed: Promise<void> | undefined;

  constructor(
    open: (process: (job: Job<Data, void, string>) => Promise<void>) => BullWorker<Data>,
    handler: JobHandler<Data>,
    log: TroubleLog,
  ) {
    this.worker = open(job => this.track(handler.run(job, this.stopping.signal)));
    const trouble = new SparingLog(log, `worker of queue "${this.worker.name}"`);
    this.worker.on('error', error => trouble.warn(error));
    this.worker.on('failed', (job, error) => {
      if (job?.finishedOn === undefined) return;
      this.track(handler.givenUp(job, error)).catch(cause =>
        log.warn(`job ${job.id} of queue "${this.worker.name}" was given up unrecorded: ${reasonOf(cause)}`),
      );
    });
  }

  /** The queue. */
  get name(): string {
    return this.worker.name;
  }

  /** False once the loop that fetches jobs has ended. */
  isRunning(): boolean {
    return this.worker.isRunning();
  }

  /**
   * Takes no further job and waits for those at hand, for `graceMs` milliseconds at most. What is not done by then is
   * told to stop, and what does not is left: its lock runs out and another worker does it.
   */
  close(graceMs = CLOSING_GRACE_MS): Promise<void> {
    return (this.closed ??= this.end(graceMs));
  }

  private async end(graceMs: number): Promise<void> {
    await this.worker.pause(true);
    const finished = await endsWithin(graceMs, this.idle());
    this.stopping.abort(new Error('the process is shutting down'));
    const idle = finished || (await endsWithin(BOOKKEEPING_MS, this.idle()));
    const closed = await endsWithin(BOOKKEEPING_MS, this.worker.close(!idle));
    if (!closed) await endsWithin(BOOKKEEPING_MS, this.worker.disconnect());
  }

  private async idle(): Promise<void> {
    while (this.atHand.size > 0) await Promise.allSettled(this.atHand);
  }

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.atHand.delete(tracked));
    this.atHand.add(tracked);
    return tracked;
  }
}
