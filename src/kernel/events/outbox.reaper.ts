import { Inject, Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Rounds } from '#kernel/rounds/rounds.js';
import { EventMetrics, type OutboxBacklog } from './event-metrics.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import { Outbox, type Returned } from './outbox.js';
import { OutboxRelay } from './outbox.relay.js';

const AT_ONCE = 5_000;

/**
 * Looks after events that were published and never confirmed: their queue may have been wiped. It publishes them
 * again, which changes nothing for those whose job is still known.
 */
@Injectable()
export class OutboxReaper extends Rounds {
  constructor(
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly relay: OutboxRelay,
    private readonly metrics: EventMetrics,
    @Inject(EVENT_SETTINGS) private readonly reaping: EventSettings,
  ) {
    super({ everyMs: reaping.reapEveryMs, log: 'Events', trouble: 'Unconfirmed events cannot be looked for' });
  }

  /** The first round comes with the start: a queue may have been wiped while nobody was there. */
  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    void this.look();
  }

  protected async round(): Promise<void> {
    let returned: Returned;
    do {
      returned = await this.outbox.returnOverdue(this.reaping.unconfirmedAfterMs, AT_ONCE);
      this.metrics.requeued.inc(returned.events);
      if (returned.batches > 0) this.relay.wake();
    } while (returned.batches === AT_ONCE);
    this.metrics.showBacklog(await this.backlog());
  }

  private backlog(): Promise<OutboxBacklog[]> {
    return this.work.system(tx =>
      tx.query<OutboxBacklog>(
        `SELECT state, sum(event_count)::int AS events,
                extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS "oldestAgeSeconds"
         FROM (SELECT created_at, event_count, CASE WHEN failed_at IS NOT NULL THEN 'failed'
                                       WHEN published_at IS NULL THEN 'unpublished' ELSE 'published' END AS state
               FROM outbox) AS row
         GROUP BY state`,
      ),
    );
  }
}
