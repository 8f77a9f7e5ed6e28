import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { within } from '#kernel/queue/within.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import type { HubEvent } from './hub-event.js';

/** An event on its way, with the names of the subscribers that have had it. */
export interface EventJob {
  readonly event: HubEvent;
  readonly taken: readonly string[];
}

/**
 * The queue that events travel in. A job has the id of its event, so adding an event that the queue knows changes
 * nothing. Jobs leave the queue when they end, well or badly: the outbox keeps the record, and an event that is
 * published again must find its id free.
 */
@Injectable()
export class EventQueue implements OnModuleInit {
  private queue: JobQueue<EventJob>;

  constructor(
    private readonly queues: Queues,
    @Inject(EVENT_SETTINGS) private readonly settings: EventSettings,
  ) {}

  async onModuleInit(): Promise<void> {
    this.queue = await this.queues.queue<EventJob>(this.settings.queue, {
      attempts: this.settings.attempts,
      backoff: { type: 'exponential', delay: this.settings.backoffMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: true,
    });
  }

  /** Adds events; rejects within the add timeout if the queue cannot take them now. */
  async add(events: readonly HubEvent[]): Promise<void> {
    const jobs = events.map(event => ({ name: event.type, data: { event, taken: [] }, opts: { jobId: event.id } }));
    const [first, ...others] = jobs;
    if (!first) return;
    const added = others.length > 0 ? this.queue.addBulk(jobs) : this.queue.add(first.name, first.data, first.opts);
    await within<unknown>(this.settings.addTimeoutMs, added, 'adding to the queue');
  }
}
