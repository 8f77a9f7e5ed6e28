import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { DELETE_OLD_REPORTS, DELETE_OLD_RUNS } from './runs.queries.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH_SIZE = 5_000;
/** How long a run that has ended stays with its reported rows, in days. */
export const RUN_RETENTION_DAYS = 30;
const RETENTION_SECONDS = RUN_RETENTION_DAYS * 86_400;

/** Deletes runs that ended long ago, their reported rows first. */
@Injectable()
export class RunSweeper extends PeriodicTask {
  constructor(private readonly work: UnitOfWork) {
    super({ intervalMs: INTERVAL_MS, loggerName: 'plugins', failureMessage: 'Old runs cannot be deleted' });
  }

  /** Deletes everything that is due. @returns the number of runs */
  async sweep(): Promise<number> {
    await this.deleteAll(DELETE_OLD_REPORTS);
    return this.deleteAll(DELETE_OLD_RUNS);
  }

  protected run(): Promise<unknown> {
    return this.sweep();
  }

  private async deleteAll(sql: string): Promise<number> {
    for (let count = 0; ;) {
      const deleted = await this.work.system(tx => tx.query(sql, [RETENTION_SECONDS, BATCH_SIZE]));
      count += deleted.length;
      if (deleted.length < BATCH_SIZE) return count;
    }
  }
}
