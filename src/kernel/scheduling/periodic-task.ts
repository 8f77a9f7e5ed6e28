import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottledLogger } from '#kernel/telemetry/throttled-logger.js';

/** Interval and log texts of a {@link PeriodicTask}. */
export interface PeriodicTaskOptions {
  readonly intervalMs: number;
  /** Name of the logger. */
  readonly loggerName: string;
  /** Log message for a failed run, without a full stop. */
  readonly failureMessage: string;
}

/**
 * Runs a task periodically, never concurrently. Failures are logged with throttling and retried at the next interval.
 * The shutdown waits for a run in progress.
 */
export abstract class PeriodicTask implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly failureLogger: ThrottledLogger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  protected constructor(private readonly taskOptions: PeriodicTaskOptions) {
    this.failureLogger = new ThrottledLogger(new Logger(taskOptions.loggerName), taskOptions.failureMessage);
  }

  /** Runs the task once. Its errors are logged. */
  protected abstract run(): Promise<unknown>;

  /** Returns whether this process runs the task. Default: every process. */
  protected isEnabled(): boolean {
    return true;
  }

  onApplicationBootstrap(): void {
    if (!this.isEnabled()) return;
    this.timer = setInterval(() => void this.runNow(), this.taskOptions.intervalMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Runs the task now, or waits for the run in progress. Never rejects. */
  runNow(): Promise<void> {
    return (this.running ??= this.run()
      .then(() => this.failureLogger.reset())
      .catch(error => this.failureLogger.warn(error))
      .finally(() => (this.running = undefined)));
  }
}
