import { Inject, Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type RoundOutcome, WokenRounds } from '#kernel/rounds/woken-rounds.js';
import { EventMetrics } from './event-metrics.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import { EventQueue } from './event.queue.js';
import { Outbox } from './outbox.js';

/**
 * Carries events from the outbox to the queue, in every process that emits. It is woken by each commit of its own
 * process and looks by itself every second; while the queue is away the events stay in the database.
 */
@Injectable()
export class OutboxRelay extends WokenRounds {
  constructor(
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly queue: EventQueue,
    private readonly metrics: EventMetrics,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {
    const { pollEveryMs: everyMs, longestPauseMs } = settings;
    super({ everyMs, longestPauseMs, log: 'Events', trouble: 'Events wait in the outbox' });
  }

  override onApplicationBootstrap(): void {
    this.work.onEmitted(() => this.wake());
    super.onApplicationBootstrap();
  }

  /** Publishes a batch; once that was all there is, rests to gather what else arrives. */
  protected async round(): Promise<RoundOutcome> {
    const { batch, gatherMs } = this.settings;
    const published = await this.outbox.publish(batch, batches => this.queue.add(batches));
    this.metrics.published.inc(published.reduce((sum, { eventCount }) => sum + eventCount, 0));
    const done = published.length;
    const more = done === batch;
    return { done, more, restMs: done > 0 && !more ? gatherMs : 0 };
  }
}
