import { hash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { within } from '#kernel/queue/within.js';
import { EVENT_SETTINGS, type EventSettings } from './event.settings.js';
import type { BatchRef, Taken } from './hub-event.js';
import type { PublishedBatch } from './outbox.js';

/**
 * Batches on their way together, and who has had of their events already. It names their rows and not what they tell:
 * the outbox holds that anyway, and a queue would take it in, keep it and hand it out again.
 */
export interface EventJob {
  readonly batches: readonly BatchRef[];
  readonly taken: Taken;
}

/** What is published at the same moment travels together: a job costs more than what it carries. */
const EVENTS_PER_JOB = 1000;

/**
 * The queue that events travel in. A job's id is made of those of its batches, so adding what the queue knows changes
 * nothing, while a job that has grown is another. Jobs leave the queue when they end, well or badly: the outbox keeps
 * the record, and a batch that is published again must find its id free.
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
  async add(batches: readonly PublishedBatch[]): Promise<void> {
    const jobs = together(batches).map(load => ({
      name: 'deliver',
      data: { batches: load, taken: {} },
      opts: { jobId: jobIdOf(load) },
    }));
    const [first, ...others] = jobs;
    if (!first) return;
    const added = others.length > 0 ? this.queue.addBulk(jobs) : this.queue.add(first.name, first.data, first.opts);
    await within<unknown>(this.settings.addTimeoutMs, added, 'adding to the queue');
  }
}

function jobIdOf(batches: readonly BatchRef[]): string {
  return hash('sha256', batches.map(({ id }) => id).join());
}

/** The loads of the jobs: batches in their order, and by itself one over which workers died before. */
export function together(batches: readonly PublishedBatch[]): BatchRef[][] {
  const loads: BatchRef[][] = [];
  let room = 0;
  for (const batch of batches.filter(({ requeued }) => !requeued)) {
    if (batch.eventCount > room) {
      loads.push([]);
      room = EVENTS_PER_JOB;
    }
    loads.at(-1)!.push(refTo(batch));
    room -= batch.eventCount;
  }
  return [...loads, ...batches.filter(({ requeued }) => requeued).map(batch => [refTo(batch)])];
}

/** Names the row of a batch. */
export function refTo({ id, workspaceId }: BatchRef): BatchRef {
  return { id, workspaceId };
}
