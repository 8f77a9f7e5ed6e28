import { Inject, Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { EventMetrics, type OutboxBacklog } from './event.metrics.js';
import { EVENT_QUEUE_OPTIONS, type EventQueueOptions } from './event-queue.options.js';
import { OutboxRepository, type Requeued } from './outbox.repository.js';
import { OutboxRelay } from './outbox.relay.js';

const BATCH_SIZE = 5_000;

/**
 * Publishes unconfirmed events again, because their queue may have been deleted. Nothing changes for events whose job
 * still exists.
 */
@Injectable()
export class OutboxRedelivery extends PeriodicTask {
  constructor(
    private readonly work: UnitOfWork,
    private readonly outbox: OutboxRepository,
    private readonly relay: OutboxRelay,
    private readonly metrics: EventMetrics,
    @Inject(EVENT_QUEUE_OPTIONS) private readonly options: EventQueueOptions,
  ) {
    super({
      intervalMs: options.redeliveryIntervalMs,
      loggerName: 'Events',
      failureMessage: 'Unconfirmed events cannot be requeued',
    });
  }

  /** Runs at the start too: the queue may have been deleted while no process was running. */
  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    void this.runNow();
  }

  protected async run(): Promise<void> {
    let requeued: Requeued;
    do {
      requeued = await this.outbox.requeueUnconfirmed(this.options.redeliverAfterMs, BATCH_SIZE);
      this.metrics.redelivered.inc(requeued.events);
      if (requeued.batches > 0) this.relay.wake();
    } while (requeued.batches === BATCH_SIZE);
    this.metrics.setBacklog(await this.backlog());
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
