import { Inject, Injectable } from '@nestjs/common';
import { type PollOutcome, WakeablePoller } from '#kernel/scheduling/wakeable-poller.js';
import { UnitOfWork } from '../db/unit-of-work.js';
import { EventMetrics, type OutboxBacklog } from './event.metrics.js';
import { EVENT_QUEUE_OPTIONS, type EventQueueOptions, EventQueue } from './event.queue.js';
import { OutboxRepository, type Requeued } from './outbox.repository.js';
import { PeriodicTask } from '../scheduling/periodic-task.js';

/**
 * Publishes events from the outbox to the queue, in every process that emits. It wakes up after each commit of its
 * own process and polls every second; while the queue is unavailable the events stay in the database.
 */
@Injectable()
export class OutboxRelay extends WakeablePoller {
  private pauseMs = 0;

  constructor(
    private readonly work: UnitOfWork,
    private readonly outbox: OutboxRepository,
    private readonly queue: EventQueue,
    private readonly metrics: EventMetrics,
    @Inject(EVENT_QUEUE_OPTIONS) private readonly options: EventQueueOptions,
  ) {
    const { pollIntervalMs: intervalMs, maxBackoffMs } = options;
    super({ intervalMs, maxBackoffMs, loggerName: 'Events', failureMessage: 'Events wait in the outbox' });
  }

  override onApplicationBootstrap(): void {
    this.work.onEmitted(() => this.wake());
    super.onApplicationBootstrap();
  }

  /** Publishes up to one batch size; pauses when the outbox is empty again. */
  protected async run(): Promise<PollOutcome> {
    const { batchSize } = this.options;
    const published = await this.outbox.publish(batchSize, batches => this.queue.add(batches));
    this.metrics.published.inc(published.reduce((sum, { eventCount }) => sum + eventCount, 0));
    const processedCount = published.length;
    const hasMore = processedCount === batchSize;
    this.pauseMs = computePauseMs(this.pauseMs, processedCount, this.options);
    return { processedCount, hasMore, delayMs: hasMore ? 0 : this.pauseMs };
  }
}

/**
 * Returns the pause after a round that published `published` batches, in milliseconds. A round of several batches
 * doubles the previous pause; a smaller one ends the load.
 */
export function computePauseMs(
  previousMs: number,
  published: number,
  { minPauseMs, maxPauseMs }: Pick<EventQueueOptions, 'minPauseMs' | 'maxPauseMs'>,
): number {
  if (published === 0) return 0;
  return published === 1 ? minPauseMs : Math.min(Math.max(previousMs * 2, minPauseMs), maxPauseMs);
}

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
