import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottledLogger } from '#kernel/telemetry/throttled-logger.js';
import { PeriodicTimer } from './periodic-timer.js';

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
  private readonly timer: PeriodicTimer;

  protected constructor({ intervalMs, loggerName, failureMessage }: PeriodicTaskOptions) {
    const failureLogger = new ThrottledLogger(new Logger(loggerName), failureMessage);
    this.timer = new PeriodicTimer({
      intervalMs,
      run: async () => {
        await this.run();
        failureLogger.reset();
      },
      onFailure: error => failureLogger.warn(error),
    });
  }

  /** Runs the task once. Its errors are logged. */
  protected abstract run(): Promise<unknown>;

  /** Returns whether this process runs the task. Default: every process. */
  protected isEnabled(): boolean {
    return true;
  }

  onApplicationBootstrap(): void | Promise<void> {
    if (this.isEnabled()) this.timer.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.timer.stop();
  }

  /** Runs the task now, or waits for the run in progress. Never rejects. */
  runNow(): Promise<void> {
    return this.timer.runNow();
  }
}
