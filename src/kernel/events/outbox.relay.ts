import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { outsideRequest } from '#kernel/context/request-context.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { SparingLog } from '#kernel/queue/sparing.log.js';
import { EventMetrics } from './event-metrics.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import { EventQueue } from './event.queue.js';
import { countEvents } from './hub-event.js';
import { Outbox } from './outbox.js';

const FIRST_PAUSE_MS = 100;

/**
 * Carries events from the outbox to the queue, in every process that emits. It is woken by each commit of its own
 * process and looks by itself every second; while the queue is away the events stay in the database.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly trouble = new SparingLog(new Logger('Events'), 'Events wait in the outbox');
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wanted = false;
  private failures = 0;

  constructor(
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly queue: EventQueue,
    private readonly metrics: EventMetrics,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.work.onEmitted(() => this.wake());
    this.timer = setInterval(() => this.wake(), this.settings.pollEveryMs);
    this.wake();
  }

  /** Stops; what is not published yet is so by another process, or after the next start. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Has the outbox looked at now, or right after the round that is under way. */
  wake(): void {
    this.wanted = true;
    if (this.running || this.stopping.signal.aborted) return;
    this.running = outsideRequest(() => this.run()).finally(() => {
      this.running = undefined;
      if (this.wanted) this.wake();
    });
  }

  private async run(): Promise<void> {
    while (this.wanted && !this.stopping.signal.aborted) {
      this.wanted = false;
      await this.rest(await this.round());
    }
  }

  /** Publishes what there is. @returns how long to rest before the next one, in milliseconds. */
  private async round(): Promise<number> {
    try {
      const published = await this.outbox.publish(this.settings.batch, batches => this.queue.add(batches));
      this.metrics.published.inc(countEvents(published));
      this.failures = 0;
      if (published.length > 0) this.trouble.reset();
      if (published.length === this.settings.batch) this.wanted = true;
      return published.length > 0 ? this.settings.gatherMs : 0;
    } catch (error) {
      this.trouble.warn(error);
      this.wanted = true;
      return Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, this.settings.longestPauseMs);
    }
  }

  private async rest(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
