import type { HttpResponse } from '@rapport/plugin-sdk';

/** Of the requests that Cal.com allows, what stays for people who work with the same key. */
const MIN_REMAINING_REQUESTS = 20;
const DEFAULT_RETRY_AFTER_MS = 60_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Above this a number of seconds is one since 1970, as one page of Cal.com has it. */
const EPOCH_SECONDS_THRESHOLD = 1_000_000_000;

/** How long Cal.com asks to be left alone after a 429, in milliseconds: until its own limit begins anew, else a minute. */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>, now: Date): number {
  const reset = headers['x-ratelimit-reset-default'] ?? headers['x-ratelimit-reset'] ?? headers['retry-after'];
  const seconds = reset === undefined || reset.trim() === '' ? NaN : Number(reset);
  if (!Number.isFinite(seconds) || seconds < 0) return DEFAULT_RETRY_AFTER_MS;
  const ms = seconds > EPOCH_SECONDS_THRESHOLD ? seconds * 1000 - now.getTime() : seconds * 1000;
  return Math.min(Math.max(ms, 1000), MAX_RETRY_AFTER_MS);
}

/** How long to rest before the next request, in milliseconds: 0 while enough of the limit is left. */
export function rateLimitDelayMs(answer: Pick<HttpResponse, 'headers'>, now: Date): number {
  const left = answer.headers['x-ratelimit-remaining-default'] ?? answer.headers['x-ratelimit-remaining'];
  if (left === undefined || !(Number(left) <= MIN_REMAINING_REQUESTS)) return 0;
  return retryAfterMs(answer, now);
}
