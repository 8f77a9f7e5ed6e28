import type { PluginManifest } from '#sdk/manifest.js';
import type { JobManifest } from '#sdk/manifest.parts.js';

/** Injection token of the {@link PluginJobOptions}. */
export const PLUGIN_JOB_OPTIONS = Symbol.for('rapport:plugin-job-options');

/** Limits and intervals for dispatching plugin jobs. Only tests change them. */
export interface PluginJobOptions {
  /** Maximum number of jobs of one workspace in the queue of one plugin; the others wait in the database. */
  readonly maxQueuedPerWorkspace: number;
  /** Maximum number of jobs that are dispatched in one transaction. */
  readonly batchSize: number;
  /** How long the queues may take to accept a batch, in milliseconds. */
  readonly addTimeoutMs: number;
  /** How often waiting jobs are dispatched without being woken, in milliseconds. */
  readonly pollIntervalMs: number;
  /** How often held jobs are checked for release, in milliseconds. */
  readonly releaseIntervalMs: number;
  /** How often overdue jobs are re-queued, in milliseconds. */
  readonly requeueIntervalMs: number;
  /**
   * Age after which a queued job is dispatched again, in milliseconds; a queue that still has it ignores the repeat.
   */
  readonly lostAfterMs: number;
}

/** The options outside of tests. */
export const DEFAULT_PLUGIN_JOB_OPTIONS: PluginJobOptions = {
  maxQueuedPerWorkspace: 10,
  batchSize: 200,
  addTimeoutMs: 2_000,
  pollIntervalMs: 1_000,
  releaseIntervalMs: 5_000,
  requeueIntervalMs: 30_000,
  lostAfterMs: 60_000,
};

/** Retry, timeout and concurrency of one kind of job. */
export interface JobPolicy {
  readonly attempts: number;
  readonly backoff: { readonly type: 'fixed' | 'exponential'; readonly delayMs: number };
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** The policy of events and webhooks, for which a manifest declares none. */
const DELIVERY_POLICY: JobPolicy = {
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 1_000 },
  timeoutMs: 30_000,
  concurrency: 5,
};

/** Returns the policy of a declared job, with defaults; without a declaration, the policy of events and webhooks. */
export function resolveJobPolicy(declared?: JobManifest): JobPolicy {
  const { attempts, backoff, timeoutMs, concurrency } = declared ?? {};
  return {
    attempts: attempts ?? DELIVERY_POLICY.attempts,
    backoff: backoff ?? DELIVERY_POLICY.backoff,
    timeoutMs: timeoutMs ?? DELIVERY_POLICY.timeoutMs,
    concurrency: concurrency ?? (declared ? 1 : DELIVERY_POLICY.concurrency),
  };
}

const MAX_CONCURRENCY = 50;

/**
 * Returns how many jobs, events and webhooks of a plugin one process runs at once, by its manifest; at most 50, and 0
 * for a plugin that handles none.
 */
export function computeConcurrency(manifest: Pick<PluginManifest, 'jobs' | 'consumes' | 'inbound'>): number {
  const jobs = Object.values(manifest.jobs ?? {}).map(job => resolveJobPolicy(job).concurrency);
  const deliveries = manifest.consumes?.length || manifest.inbound ? resolveJobPolicy().concurrency : 0;
  return Math.min(
    jobs.reduce((sum, each) => sum + each, deliveries),
    MAX_CONCURRENCY,
  );
}

const MAX_RETRY_DELAY_MS = 6 * 3_600_000;

/**
 * Returns the delay after a number of failed attempts, in milliseconds: fixed, or doubled each time, at most six hours.
 */
export function computeRetryDelayMs({ backoff: { type, delayMs } }: JobPolicy, failures: number): number {
  const grown = type === 'fixed' ? delayMs : delayMs * 2 ** (failures - 1);
  return Math.min(grown, MAX_RETRY_DELAY_MS);
}
