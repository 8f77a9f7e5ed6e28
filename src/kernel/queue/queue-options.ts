import type { DefaultJobOptions } from 'bullmq';

/** Key prefix in Redis; the braces make it a hash tag, so that Redis Cluster keeps all queues in one slot. */
export const QUEUE_PREFIX = '{rapport}';

/** Schema of the queues in PostgreSQL; BullMQ expects this name if it is given a pool. */
export const QUEUE_SCHEMA = 'bullmq';

const HOUR_SECONDS = 3600;

/**
 * Default job options: 12 attempts with a delay between half and all of 0.5 s x 2^n (about a quarter of an hour in
 * total), and a bounded history of ended jobs.
 */
export const defaultJobOptions: DefaultJobOptions = {
  attempts: 12,
  backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
  removeOnComplete: { count: 1000, age: HOUR_SECONDS },
  removeOnFail: { count: 5000, age: 7 * 24 * HOUR_SECONDS },
};

/**
 * Lock options of workers. The lock is renewed at half its duration; the job of a dead process is found at the first
 * check after the lock has expired, which is 6 to 9 s later. Milliseconds, except `drainDelay` (seconds).
 */
export const defaultWorkerOptions = {
  lockDuration: 6_000,
  stalledInterval: 3_000,
  maxStalledCount: 3,
  drainDelay: 5,
  runRetryDelay: 1_000,
} as const;

/** Bounds BullMQ's own event stream, which only its tools read. */
export const defaultStreamOptions = { events: { maxLen: 1000 } } as const;

/** How long a closing worker waits for its active jobs, in milliseconds. */
export const WORKER_CLOSE_TIMEOUT_MS = 10_000;
