import { hash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue-backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { EVENT_QUEUE_OPTIONS, type EventQueueOptions } from './event-queue.options.js';
import type { BatchRef, DeliveredTo } from './hub-event.js';
import type { PublishedBatch } from './outbox.repository.js';

/**
 * Payload of a delivery job: references to batches, and the subscribers that have received their events already. The
 * events stay in the outbox, so that the queue does not store and transfer them again.
 */
export interface EventJob {
  readonly batches: readonly BatchRef[];
  readonly taken: DeliveredTo;
}

/** Batches that are published together share jobs, because a job costs more than its events. */
const MAX_EVENTS_PER_JOB = 1000;

/**
 * Queue of delivery jobs. A job ID is derived from the IDs of its batches, so adding a known job changes nothing,
 * while a different set of batches is another job. Jobs leave the queue when they end, successfully or not: the
 * outbox keeps the record, and a batch that is published again needs its job ID free.
 */
@Injectable()
export class EventQueue implements OnModuleInit {
  private queue: JobQueue<EventJob>;

  constructor(
    private readonly queues: Queues,
    @Inject(EVENT_QUEUE_OPTIONS) private readonly options: EventQueueOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    this.queue = await this.queues.openQueue<EventJob>(this.options.queueName, {
      attempts: this.options.attempts,
      backoff: { type: 'exponential', delay: this.options.backoffMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: true,
    });
  }

  /** Adds batches of events; rejects after the add timeout if the queue does not accept them. */
  async add(batches: readonly PublishedBatch[]): Promise<void> {
    const jobs = groupIntoJobs(batches).map(load => ({
      name: 'deliver',
      data: { batches: load, taken: {} },
      opts: { jobId: computeJobId(load) },
    }));
    const [first, ...others] = jobs;
    if (!first) return;
    const added = others.length > 0 ? this.queue.addBulk(jobs) : this.queue.add(first.name, first.data, first.opts);
    await withTimeout<unknown>(this.options.addTimeoutMs, added, 'adding to the queue');
  }
}

function computeJobId(batches: readonly BatchRef[]): string {
  return hash('sha256', batches.map(({ id }) => id).join());
}

/** Groups batches into jobs, in order; a batch whose job killed its workers before gets a job of its own. */
export function groupIntoJobs(batches: readonly PublishedBatch[]): BatchRef[][] {
  const groups: BatchRef[][] = [];
  let remaining = 0;
  for (const batch of batches.filter(({ requeued }) => !requeued)) {
    if (batch.eventCount > remaining) {
      groups.push([]);
      remaining = MAX_EVENTS_PER_JOB;
    }
    groups.at(-1)!.push(toBatchRef(batch));
    remaining -= batch.eventCount;
  }
  return [...groups, ...batches.filter(({ requeued }) => requeued).map(batch => [toBatchRef(batch)])];
}

/** Returns the key of a batch's outbox row. */
export function toBatchRef({ id, workspaceId }: BatchRef): BatchRef {
  return { id, workspaceId };
}
