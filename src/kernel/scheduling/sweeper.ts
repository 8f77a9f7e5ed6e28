import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from './periodic-task.js';

const SWEEP_INTERVAL_MS = 10 * 60_000;

/** What is forgotten. */
export interface SweeperOptions {
  /** Name of the log. */
  readonly loggerName: string;
  /** Deletes at most $1 rows that are too old, and returns one row for each. */
  readonly sql: string;
  /** How many rows one transaction takes. */
  readonly batchSize: number;
}

/** Forgets what is too old, every ten minutes. Any number of processes may do it. */
export abstract class Sweeper extends PeriodicTask {
  protected constructor(
    private readonly work: UnitOfWork,
    private readonly sweeperOptions: SweeperOptions,
  ) {
    super({
      intervalMs: SWEEP_INTERVAL_MS,
      loggerName: sweeperOptions.loggerName,
      failureMessage: 'What is too old cannot be forgotten',
    });
  }

  /** Deletes what is too old, a bounded number at a time. @returns how many rows were forgotten */
  async sweep(): Promise<number> {
    const { sql, batchSize } = this.sweeperOptions;
    for (let swept = 0; ;) {
      const deleted = await this.work.system(tx => tx.query(sql, [batchSize]));
      swept += deleted.length;
      if (deleted.length < batchSize) return swept;
    }
  }

  protected run(): Promise<unknown> {
    return this.sweep();
  }
}
