import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottledLogger } from '#kernel/telemetry/throttled-logger.js';
import { PeriodicTimer } from './periodic-timer.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

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

const SWEEP_INTERVAL_MS = 10 * 60_000;

/** Options of a {@link Sweeper}. */
export interface SweeperOptions {
  /** Name of the logger. */
  readonly loggerName: string;
  /** Statement that deletes at most $1 expired rows and returns one row for each. */
  readonly sql: string;
  /** Maximum number of rows per transaction. */
  readonly batchSize: number;
  /** Role that deletes: of the directory, by default, or of users and sessions. */
  readonly role?: 'system' | 'auth';
}

/** Deletes expired rows every ten minutes. Any number of processes may run it concurrently. */
export abstract class Sweeper extends PeriodicTask {
  protected constructor(
    private readonly work: UnitOfWork,
    private readonly sweeperOptions: SweeperOptions,
  ) {
    super({
      intervalMs: SWEEP_INTERVAL_MS,
      loggerName: sweeperOptions.loggerName,
      failureMessage: 'Expired rows cannot be deleted',
    });
  }

  /**
   * Deletes all expired rows, one batch per transaction.
   * @returns the number of deleted rows
   */
  async sweep(): Promise<number> {
    const { sql, batchSize, role = 'system' } = this.sweeperOptions;
    for (let deletedCount = 0; ;) {
      const deleted = await this.work[role](tx => tx.query(sql, [batchSize]));
      deletedCount += deleted.length;
      if (deleted.length < batchSize) return deletedCount;
    }
  }

  protected run(): Promise<unknown> {
    return this.sweep();
  }
}
