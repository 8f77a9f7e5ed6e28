import { hash } from 'node:crypto';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { JobsOptions } from 'bullmq';
import type { JobQueue } from '#kernel/queue/hub-queue.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import type { BatchRef, DeliveredTo } from './hub-event.js';
import type { PrioritizedBatch } from './outbox.repository.js';

/** Injection token of the {@link EventQueueOptions}. */
export const EVENT_QUEUE_OPTIONS = Symbol.for('rapport:event-settings');

/** Timing and limits of event delivery. Only tests change the defaults. */
export interface EventQueueOptions {
  /** Maximum number of batches that are published in one transaction. */
  readonly batchSize: number;
  /** Time limit of the queue for accepting a batch, in milliseconds; after that the events stay in the outbox. */
  readonly addTimeoutMs: number;
  /** Pause after publishing a single batch, in milliseconds: an event of a quiet hub waits no longer than this. */
  readonly minPauseMs: number;
  /**
   * Maximum pause after publishing, in milliseconds. The pause doubles as long as several batches arrive during it, so
   * that under load they share a transaction.
   */
  readonly maxPauseMs: number;
  /** How often the outbox is polled in addition to the wake-up inside the process, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Maximum backoff while the queue or the database is unavailable, in milliseconds. */
  readonly maxBackoffMs: number;
  /** How often the outbox is checked for unconfirmed events, in milliseconds. */
  readonly redeliveryIntervalMs: number;
  /** Age at which a published event without confirmation is published again, in milliseconds. */
  readonly redeliverAfterMs: number;
  /** Time limit of all subscribers together for the events of one job, in milliseconds. */
  readonly deliveryTimeoutMs: number;
  /** Number of delivery attempts before an event becomes a dead letter. */
  readonly attempts: number;
  /** First delay between attempts, doubled each time, in milliseconds. */
  readonly backoffMs: number;
}

/** Default options; they retry each event for about a quarter of an hour. */
export const defaultEventQueueOptions: EventQueueOptions = {
  batchSize: 500,
  addTimeoutMs: 2_000,
  minPauseMs: 20,
  maxPauseMs: 300,
  pollIntervalMs: 1_000,
  maxBackoffMs: 4_000,
  redeliveryIntervalMs: 30_000,
  redeliverAfterMs: 60_000,
  deliveryTimeoutMs: 30_000,
  attempts: 12,
  backoffMs: 500,
};

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
  async add(batches: readonly PrioritizedBatch[]): Promise<void> {
    const jobs = groupIntoJobs(batches).map(group => ({
      name: 'deliver',
      data: { batches: group.batches, taken: {} },
      opts: { jobId: computeJobId(group.batches), priority: group.priority, ...this.attemptOptions },
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

/** Batches of one delivery job, and its priority. */
export interface BatchGroup {
  readonly priority: number;
  readonly batches: readonly BatchRef[];
}

/**
 * Groups batches of the same priority into jobs, in order; a batch whose job killed its workers before gets a job of its
 * own.
 */
export function groupIntoJobs(batches: readonly PrioritizedBatch[]): BatchGroup[] {
  const shared = batches.filter(({ requeued }) => !requeued);
  const alone = batches.filter(({ requeued }) => requeued);
  return [
    ...[...Map.groupBy(shared, ({ priority }) => priority)].flatMap(([priority, members]) =>
      splitIntoJobs(members).map(refs => ({ priority, batches: refs })),
    ),
    ...alone.map(batch => ({ priority: batch.priority, batches: [toBatchRef(batch)] })),
  ];
}

function splitIntoJobs(batches: readonly PrioritizedBatch[]): BatchRef[][] {
  const groups: BatchRef[][] = [];
  let remaining = 0;
  for (const batch of batches) {
    if (batch.eventCount > remaining) {
      groups.push([]);
      remaining = MAX_EVENTS_PER_JOB;
    }
    groups.at(-1)!.push(toBatchRef(batch));
    remaining -= batch.eventCount;
  }
  return groups;
}

/** Returns the key of a batch's outbox row. */
export function toBatchRef({ id, workspaceId }: BatchRef): BatchRef {
  return { id, workspaceId };
}
