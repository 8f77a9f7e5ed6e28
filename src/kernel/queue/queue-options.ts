import type { DefaultJobOptions } from 'bullmq';

/** Key prefix in Redis; the braces make it a hash tag, so that a Redis Cluster keeps all queues in one slot. */
export const QUEUE_PREFIX = '{rapport}';

/** Schema of the queues when they live in PostgreSQL: the one BullMQ assumes for a pool that it is handed. */
export const QUEUE_SCHEMA = 'bullmq';

const HOUR_SECONDS = 3600;

/**
 * How jobs are tried and kept unless a queue says otherwise: 12 attempts, waiting between half and all of
 * 0.5 s x 2^n (about a quarter of an hour in total), and a bounded memory of what has been done.
 */
export const defaultJobOptions: DefaultJobOptions = {
  attempts: 12,
  backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
  removeOnComplete: { count: 1000, age: HOUR_SECONDS },
  removeOnFail: { count: 5000, age: 7 * 24 * HOUR_SECONDS },
};

/**
 * How workers hold jobs. The lock is renewed at half its time; the job of a process that died is found on the first
 * look after the lock has run out, so 6 to 9 s later. Milliseconds, except `drainDelay` (seconds).
 */
export const defaultWorkerOptions = {
  lockDuration: 6_000,
  stalledInterval: 3_000,
  maxStalledCount: 3,
  drainDelay: 5,
  runRetryDelay: 1_000,
} as const;

/** Kept short: nobody reads BullMQ's own event stream, it is only there for its tools. */
export const defaultStreamOptions = { events: { maxLen: 1000 } } as const;

/** How long a worker that closes waits for the jobs at hand, in milliseconds. */
export const WORKER_CLOSE_TIMEOUT_MS = 10_000;
