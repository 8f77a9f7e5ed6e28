import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Rounds } from './rounds.js';

const EVERY_MS = 10 * 60_000;

/** What is forgotten. */
export interface Sweeping {
  /** Name of the log. */
  readonly log: string;
  /** Deletes at most $1 rows that are too old, and returns one row for each. */
  readonly statement: string;
  /** How many rows one transaction takes. */
  readonly atOnce: number;
}

/** Forgets what is too old, every ten minutes. Any number of processes may do it. */
export abstract class Sweeper extends Rounds {
  protected constructor(
    private readonly work: UnitOfWork,
    private readonly sweeping: Sweeping,
  ) {
    super({ everyMs: EVERY_MS, log: sweeping.log, trouble: 'What is too old cannot be forgotten' });
  }

  /** Deletes what is too old, a bounded number at a time. @returns how many rows were forgotten */
  async sweep(): Promise<number> {
    const { statement, atOnce } = this.sweeping;
    for (let swept = 0; ;) {
      const gone = await this.work.system(tx => tx.query(statement, [atOnce]));
      swept += gone.length;
      if (gone.length < atOnce) return swept;
    }
  }

  protected round(): Promise<unknown> {
    return this.sweep();
  }
}
