import { hash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { within } from '#kernel/queue/within.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import type { HubEvent } from './hub-event.js';

/** Events on their way together, with the names of the subscribers that have had each, by the id of the event. */
export interface EventJob {
  readonly events: readonly HubEvent[];
  readonly taken: Readonly<Record<string, readonly string[]>>;
}

/** Events that are published at the same moment travel together: a job costs more than what it carries. */
const EVENTS_PER_JOB = 100;

/**
 * The queue that events travel in. A job's id is made of those of its events, so adding a batch that the queue knows
 * changes nothing, while one that has grown is another. Jobs leave the queue when they end, well or badly: the outbox
 * keeps the record, and an event that is published again must find its id free.
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

  /** Adds batches of events; rejects within the add timeout if the queue cannot take them now. */
  async add(batches: readonly (readonly HubEvent[])[]): Promise<void> {
    const jobs = batches.map(events => ({
      name: 'deliver',
      data: { events, taken: {} },
      opts: { jobId: jobIdOf(events) },
    }));
    const [first, ...others] = jobs;
    if (!first) return;
    const added = others.length > 0 ? this.queue.addBulk(jobs) : this.queue.add(first.name, first.data, first.opts);
    await within<unknown>(this.settings.addTimeoutMs, added, 'adding to the queue');
  }
}

function jobIdOf(events: readonly HubEvent[]): string {
  return hash('sha256', events.map(({ id }) => id).join());
}

/** Puts events into batches that travel together; one over which workers died before travels by itself. */
export function inBatches(events: readonly (HubEvent & { readonly alone: boolean })[]): HubEvent[][] {
  const together = events.filter(event => !event.alone).map(unmarked);
  const batches = Array.from({ length: Math.ceil(together.length / EVENTS_PER_JOB) }, (_, i) =>
    together.slice(i * EVENTS_PER_JOB, (i + 1) * EVENTS_PER_JOB),
  );
  return [...batches, ...events.filter(event => event.alone).map(event => [unmarked(event)])];
}

function unmarked({ id, workspaceId, type, payload, occurredAt }: HubEvent): HubEvent {
  return { id, workspaceId, type, payload, occurredAt };
}
