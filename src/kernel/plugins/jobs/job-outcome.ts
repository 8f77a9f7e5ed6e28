import { isPermanentError, isRetryLater } from '#sdk/errors.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { pauseAfter, type Running } from './job.settings.js';
import type { PluginJob } from './plugin-job.js';

const LONGEST_WISH_MS = 24 * 3_600_000;

/** How often in a row a job may ask to be tried later before that counts as a failed try. */
const FREE_POSTPONEMENTS = 9;

/** What becomes of a job that failed. */
export type Failure =
  | { readonly fate: 'dead'; readonly reason: string }
  | { readonly fate: 'again'; readonly inMs: number; readonly attempts: number; readonly deferrals: number };

/**
 * Judges what a handler has thrown: an error that says that it is permanent ends the job, one that asks for a later
 * try gets it, and any other one is tried again after the pause of the job until its attempts are used up.
 */
export function failureOf({ attempts, deferrals }: PluginJob, running: Running, error: unknown): Failure {
  if (isPermanentError(error)) return { fate: 'dead', reason: reasonOf(error) };
  const asked = isRetryLater(error);
  const counts = !asked || deferrals >= FREE_POSTPONEMENTS;
  const failed = attempts + (counts ? 1 : 0);
  if (failed >= running.attempts) return { fate: 'dead', reason: reasonOf(error) };
  const inMs = asked ? wishedPause(error.afterMs) : pauseAfter(running, failed);
  return { fate: 'again', inMs, attempts: failed, deferrals: asked ? deferrals + 1 : 0 };
}

function wishedPause(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WISH_MS) : LONGEST_WISH_MS;
}
