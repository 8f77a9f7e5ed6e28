import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { SparingLog } from '#kernel/queue/sparing.log.js';
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
export class OutboxReaper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly trouble = new SparingLog(new Logger('Events'), 'Unconfirmed events cannot be looked for');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly relay: OutboxRelay,
    private readonly metrics: EventMetrics,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.reapUnlessRunning(), this.settings.reapEveryMs);
    this.reapUnlessRunning();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private reapUnlessRunning(): void {
    this.running ??= this.reap()
      .catch(error => this.trouble.warn(error))
      .finally(() => (this.running = undefined));
  }

  private async reap(): Promise<void> {
    let returned: Returned;
    do {
      returned = await this.outbox.returnOverdue(this.settings.unconfirmedAfterMs, AT_ONCE);
      this.metrics.requeued.inc(returned.events);
      if (returned.batches > 0) this.relay.wake();
    } while (returned.batches === AT_ONCE);
    this.metrics.showBacklog(await this.backlog());
    this.trouble.reset();
  }

  private backlog(): Promise<OutboxBacklog[]> {
    return this.work.system(tx =>
      tx.query<OutboxBacklog>(
        `SELECT state, sum(size)::int AS events,
                extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS "oldestSeconds"
         FROM (SELECT created_at, size, CASE WHEN failed_at IS NOT NULL THEN 'failed'
                                       WHEN published_at IS NULL THEN 'unpublished' ELSE 'published' END AS state
               FROM outbox) AS row
         GROUP BY state`,
      ),
    );
  }
}
