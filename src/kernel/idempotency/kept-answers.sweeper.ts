import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 5_000;

/** Forgets answers kept for an Idempotency-Key when their 24 hours are over. Any number of processes may do it. */
@Injectable()
export class KeptAnswersSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('idempotency');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: UnitOfWork) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep().catch(error => this.log.warn(String(error))), EVERY_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes what is older than 24 hours, a bounded number at a time. @returns how many answers were forgotten. */
  async sweep(): Promise<number> {
    for (let swept = 0; ;) {
      const gone = await this.work.system(tx =>
        tx.query(
          `DELETE FROM idempotent_answers WHERE (workspace_id, key) IN (
             SELECT workspace_id, key FROM idempotent_answers
             WHERE created_at < now() - interval '24 hours' ORDER BY created_at LIMIT $1)
           RETURNING key`,
          [AT_ONCE],
        ),
      );
      swept += gone.length;
      if (gone.length < AT_ONCE) return swept;
    }
  }
}
