import { Inject, Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type PollOutcome, WakeablePoller } from '#kernel/scheduling/wakeable-poller.js';
import { EventMetrics } from './event.metrics.js';
import { EVENT_QUEUE_OPTIONS, type EventQueueOptions } from './event-queue.options.js';
import { EventQueue } from './event.queue.js';
import { OutboxRepository } from './outbox.repository.js';

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
