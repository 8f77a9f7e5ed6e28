import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 1_000;
const KEPT = '30 days';

/** Forgets webhooks that came in 30 days ago. Any number of processes may do it. */
@Injectable()
export class InboundSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('inbound');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: UnitOfWork) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep().catch(error => this.log.warn(String(error))), EVERY_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Deletes what is too old, a bounded number at a time. @returns how many were forgotten */
  async sweep(): Promise<number> {
    for (let swept = 0; ;) {
      const gone = await this.work.system(tx =>
        tx.query(
          `DELETE FROM inbound_events WHERE (workspace_id, id) IN (
             SELECT workspace_id, id FROM inbound_events
             WHERE received_at < now() - interval '${KEPT}' ORDER BY received_at LIMIT $1)
           RETURNING id`,
          [AT_ONCE],
        ),
      );
      swept += gone.length;
      if (gone.length < AT_ONCE) return swept;
    }
  }
}
