import type { JobManifest, PluginManifest, RunManifest } from '#sdk/manifest/manifest.js';
import { isPermanentError, isRetryLater } from '#sdk/errors.js';
import { isLocked } from '#kernel/secrets/secret-box.js';
import { isReconnectRequired } from '../reconnect-required.error.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import type { PluginJobRecord } from './plugin-job.js';

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

/** The policy of the steps of runs, where a manifest says nothing else. */
const RUN_POLICY: JobPolicy = { ...DELIVERY_POLICY, timeoutMs: 60_000, concurrency: 4 };

/** Returns the policy of the steps of a run. */
export function resolveRunPolicy({ attempts, backoff, stepTimeoutMs, concurrency }: RunManifest): JobPolicy {
  return {
    attempts: attempts ?? RUN_POLICY.attempts,
    backoff: backoff ?? RUN_POLICY.backoff,
    timeoutMs: stepTimeoutMs ?? RUN_POLICY.timeoutMs,
    concurrency: concurrency ?? RUN_POLICY.concurrency,
  };
}

const MAX_CONCURRENCY = 50;

/**
 * Returns how many jobs, events and webhooks of a plugin one process runs at once, by its manifest; at most 50, and 0
 * for a plugin that handles none.
 */
export function computeConcurrency(manifest: Pick<PluginManifest, 'jobs' | 'runs' | 'consumes' | 'inbound'>): number {
  const jobs = [
    ...Object.values(manifest.jobs ?? {}).map(resolveJobPolicy),
    ...Object.values(manifest.runs ?? {}).map(resolveRunPolicy),
  ];
  const deliveries = manifest.consumes?.length || manifest.inbound ? resolveJobPolicy().concurrency : 0;
  return Math.min(
    jobs.reduce((sum, { concurrency }) => sum + concurrency, deliveries),
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

/** How long a job waits for a key that its secrets are sealed with, in milliseconds. */
const LOCKED_RETRY_MS = 60_000;
const MAX_RETRY_LATER_MS = 24 * 3_600_000;

/** How often in a row a job may be deferred before a deferral counts as a failed attempt. */
const MAX_FREE_DEFERRALS = 9;

/** What happens to a failed job. */
export type JobFailure =
  | { readonly disposition: 'dead'; readonly reason: string }
  | { readonly disposition: 'retry'; readonly delayMs: number; readonly attempts: number; readonly deferrals: number };

/**
 * Decides what happens to a job whose handler threw. A permanent error makes it a dead letter, `RetryLater` defers it
 * by at most 24 hours, and any other error is retried with the backoff of the job until its attempts are used up. A job
 * whose secrets are locked waits for their key, and one whose connection has to be made again for that, however long it
 * takes.
 */
export function toJobFailure({ attempts, deferrals }: PluginJobRecord, policy: JobPolicy, error: unknown): JobFailure {
  if (isLocked(error) || isReconnectRequired(error))
    return { disposition: 'retry', delayMs: LOCKED_RETRY_MS, attempts, deferrals };
  if (isPermanentError(error)) return { disposition: 'dead', reason: errorMessage(error) };
  const isDeferred = isRetryLater(error);
  const countsAsAttempt = !isDeferred || deferrals >= MAX_FREE_DEFERRALS;
  const failedAttempts = attempts + (countsAsAttempt ? 1 : 0);
  if (failedAttempts >= policy.attempts) return { disposition: 'dead', reason: errorMessage(error) };
  const delayMs = isDeferred ? clampRetryDelay(error.afterMs) : computeRetryDelayMs(policy, failedAttempts);
  return { disposition: 'retry', delayMs, attempts: failedAttempts, deferrals: isDeferred ? deferrals + 1 : 0 };
}

function clampRetryDelay(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_LATER_MS) : MAX_RETRY_LATER_MS;
}
