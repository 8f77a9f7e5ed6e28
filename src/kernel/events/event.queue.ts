import { hash } from 'node:crypto';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { JobsOptions } from 'bullmq';
import type { JobQueue } from '#kernel/queue/hub-queue.js';
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

/** Name of the queue of delivery jobs. */
export const EVENTS_QUEUE = 'events';

/** Batches that are published together share jobs, because a job costs more than its events. */
const MAX_EVENTS_PER_JOB = 1000;

/**
 * Queue of delivery jobs. A job ID is derived from the IDs of its batches, so adding a known job changes nothing,
 * while a different set of batches is another job. Jobs leave the queue when they end, successfully or not: the
 * outbox keeps the record, and a batch that is published again needs its job ID free.
 */
@Injectable()
export class EventQueue {
  constructor(
    @InjectQueue(EVENTS_QUEUE) private readonly queue: JobQueue<EventJob>,
    @Inject(EVENT_QUEUE_OPTIONS) private readonly options: EventQueueOptions,
  ) {}

  /** Adds batches of events; rejects after the add timeout if the queue does not accept them. */
  async add(batches: readonly PublishedBatch[]): Promise<void> {
    const jobs = groupIntoJobs(batches).map(load => ({
      name: 'deliver',
      data: { batches: load, taken: {} },
      opts: { jobId: computeJobId(load), ...this.attemptOptions },
    }));
    const [first, ...others] = jobs;
    if (!first) return;
    const added = others.length > 0 ? this.queue.addBulk(jobs) : this.queue.add(first.name, first.data, first.opts);
    await withTimeout<unknown>(this.options.addTimeoutMs, added, 'adding to the queue');
  }

  private get attemptOptions(): JobsOptions {
    const { attempts, backoffMs } = this.options;
    return { attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 } };
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
