import { setTimeout as sleep } from 'node:timers/promises';

/** How often a request is tried in all. */
export const MAX_ATTEMPTS = 4;

const INITIAL_DELAY_MS = 250;
/** A hub that asks for more patience than this gets its answer passed on. */
const MAX_DELAY_MS = 30_000;
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/** Reasons of a connection that never came about: nothing was delivered, so anything may be tried again. */
const CONNECT_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether an answer says: not now, and nothing was done. */
export function isRetryable(status: number): boolean {
  return RETRYABLE_STATUSES.has(status);
}

/** Whether a failed fetch never reached the hub. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const reasons: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return (
    reasons.length > 0 && reasons.every(reason => CONNECT_ERROR_CODES.has(String((reason as { code?: string })?.code)))
  );
}

/**
 * How long to wait before the next attempt, in milliseconds: what `Retry-After` asks for, else twice as long each time,
 * with chance in it so that many callers do not come back at once. Undefined when that is longer than anybody waits.
 */
export function computeRetryWaitMs(attempt: number, retryAfter: string | null): number | undefined {
  const asked = retryAfter === null ? undefined : parseRetryAfterMs(retryAfter);
  const pause = asked ?? INITIAL_DELAY_MS * 2 ** attempt * (0.5 + Math.random());
  return pause <= MAX_DELAY_MS ? pause : undefined;
}

/** Waits. @throws when the signal aborts */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

function parseRetryAfterMs(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
