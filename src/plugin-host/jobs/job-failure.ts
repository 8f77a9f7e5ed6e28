import { isPermanentError, isRetryLater } from '#sdk/errors.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { computeRetryDelayMs, type JobPolicy } from './job.options.js';
import type { PluginJobRecord } from './plugin-job.js';

const MAX_RETRY_LATER_MS = 24 * 3_600_000;

/** How often in a row a job may ask to be tried later before that counts as a failed try. */
const MAX_FREE_DEFERRALS = 9;

/** What becomes of a job that failed. */
export type JobFailure =
  | { readonly fate: 'dead'; readonly reason: string }
  | { readonly fate: 'again'; readonly inMs: number; readonly attempts: number; readonly deferrals: number };

/**
 * Judges what a handler has thrown: an error that says that it is permanent ends the job, one that asks for a later
 * try gets it, and any other one is tried again after the pause of the job until its attempts are used up.
 */
export function toJobFailure({ attempts, deferrals }: PluginJobRecord, policy: JobPolicy, error: unknown): JobFailure {
  if (isPermanentError(error)) return { fate: 'dead', reason: errorMessage(error) };
  const isDeferred = isRetryLater(error);
  const countsAsAttempt = !isDeferred || deferrals >= MAX_FREE_DEFERRALS;
  const failedAttempts = attempts + (countsAsAttempt ? 1 : 0);
  if (failedAttempts >= policy.attempts) return { fate: 'dead', reason: errorMessage(error) };
  const inMs = isDeferred ? clampRetryDelay(error.afterMs) : computeRetryDelayMs(policy, failedAttempts);
  return { fate: 'again', inMs, attempts: failedAttempts, deferrals: isDeferred ? deferrals + 1 : 0 };
}

function clampRetryDelay(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_LATER_MS) : MAX_RETRY_LATER_MS;
}
