import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from './periodic-task.js';

const SWEEP_INTERVAL_MS = 10 * 60_000;

/** Options of a {@link Sweeper}. */
export interface SweeperOptions {
  /** Name of the logger. */
  readonly loggerName: string;
  /** Statement that deletes at most $1 expired rows and returns one row for each. */
  readonly sql: string;
  /** Maximum number of rows per transaction. */
  readonly batchSize: number;
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
    const { sql, batchSize } = this.sweeperOptions;
    for (let deletedCount = 0; ;) {
      const deleted = await this.work.system(tx => tx.query(sql, [batchSize]));
      deletedCount += deleted.length;
      if (deleted.length < batchSize) return deletedCount;
    }
  }

  protected run(): Promise<unknown> {
    return this.sweep();
  }
}
