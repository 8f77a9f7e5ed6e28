import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of attempts of a request. */
export const MAX_ATTEMPTS = 4;

const INITIAL_DELAY_MS = 250;
/** If the hub asks for a longer delay, its response is returned instead of retrying. */
const MAX_DELAY_MS = 30_000;
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/** Errors while connecting. The request was not sent, so any request can be retried. */
const CONNECT_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Checks whether a status means that the request had no effect and can be retried. */
export function isRetryable(status: number): boolean {
  return RETRYABLE_STATUSES.has(status);
}

/** Checks whether a failed request was never sent to the hub. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const reasons: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return (
    reasons.length > 0 && reasons.every(reason => CONNECT_ERROR_CODES.has(String((reason as { code?: string })?.code)))
  );
}

/**
 * Computes the delay before the next attempt in milliseconds: `Retry-After`, otherwise exponential backoff with
 * jitter, so that callers do not retry at the same time. Returns undefined if the delay exceeds 30 s.
 */
export function computeRetryWaitMs(attempt: number, retryAfter: string | null): number | undefined {
  const requestedMs = retryAfter === null ? undefined : parseRetryAfterMs(retryAfter);
  const waitMs = requestedMs ?? INITIAL_DELAY_MS * 2 ** attempt * (0.5 + Math.random());
  return waitMs <= MAX_DELAY_MS ? waitMs : undefined;
}

/** Waits. @throws AbortError when the signal aborts */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

function parseRetryAfterMs(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
