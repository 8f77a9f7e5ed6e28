import { runDetached } from '#kernel/request-context.js';

/** What a {@link PeriodicTimer} does, and how often. */
export interface PeriodicTimerOptions {
  readonly intervalMs: number;
  /** Work of one run. */
  readonly run: () => unknown;
  /** Receives the error of a failed run; the next run comes at the next interval. Default: errors are discarded. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Runs work periodically, never concurrently and outside any request. It does not keep the process alive. All periodic
 * work of the hub is started here.
 */
export class PeriodicTimer {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: PeriodicTimerOptions) {}

  /** Starts the timer; the first run comes after one interval. Does nothing if it has started. */
  start(): this {
    this.timer ??= runDetached(() => setInterval(() => void this.runNow(), this.options.intervalMs)).unref();
    return this;
  }

  /** Stops the timer and waits for a run in progress. It can be started again. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
  }

  /** Runs the work now, or waits for the run in progress. Never rejects. */
  runNow(): Promise<void> {
    return (this.running ??= this.runOnce().finally(() => (this.running = undefined)));
  }

  private async runOnce(): Promise<void> {
    try {
      await this.options.run();
    } catch (error) {
      this.options.onFailure?.(error);
    }
  }
}
