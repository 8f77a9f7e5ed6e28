import { isPermanentError, isRetryLater } from '#sdk/errors.js';
import { isLocked } from '#kernel/secrets/sealed-text.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { computeRetryDelayMs, type JobPolicy } from './job.options.js';
import type { PluginJobRecord } from './plugin-job.js';

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
 * whose secrets are locked waits for their key, however long that takes.
 */
export function toJobFailure({ attempts, deferrals }: PluginJobRecord, policy: JobPolicy, error: unknown): JobFailure {
  if (isLocked(error)) return { disposition: 'retry', delayMs: LOCKED_RETRY_MS, attempts, deferrals };
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
