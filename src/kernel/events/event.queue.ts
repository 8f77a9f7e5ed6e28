import { hash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobQueue } from '#kernel/queue/queue-backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { EVENT_QUEUE_OPTIONS, type EventQueueOptions } from './event-queue.options.js';
import type { BatchRef, DeliveredTo } from './hub-event.js';
import type { PublishedBatch } from './outbox.repository.js';

/**
 * Batches on their way together, and who has had of their events already. It names their rows and not what they tell:
 * the outbox holds that anyway, and a queue would take it in, keep it and hand it out again.
 */
export interface EventJob {
  readonly batches: readonly BatchRef[];
  readonly taken: DeliveredTo;
}

/** What is published at the same moment travels together: a job costs more than what it carries. */
const MAX_EVENTS_PER_JOB = 1000;

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

  /** Adds batches of events; rejects within the add timeout if the queue cannot take them now. */
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

/** The loads of the jobs: batches in their order, and by itself one over which workers died before. */
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

/** Names the row of a batch. */
export function toBatchRef({ id, workspaceId }: BatchRef): BatchRef {
  return { id, workspaceId };
}
