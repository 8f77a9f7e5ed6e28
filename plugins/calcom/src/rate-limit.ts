import type { HttpAnswer } from '@rapport/plugin-sdk';

/** Of the requests that Cal.com allows, what stays for people who work with the same key. */
const RESERVE = 20;
const USUAL_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Above this a number of seconds is one since 1970, as one page of Cal.com has it. */
const SINCE_1970 = 1_000_000_000;

/** How long Cal.com asks to be left alone after a 429, in milliseconds: until its own limit begins anew, else a minute. */
export function pauseWished({ headers }: Pick<HttpAnswer, 'headers'>, now: Date): number {
  const told = headers['x-ratelimit-reset-default'] ?? headers['x-ratelimit-reset'] ?? headers['retry-after'];
  const seconds = told === undefined || told.trim() === '' ? NaN : Number(told);
  if (!Number.isFinite(seconds) || seconds < 0) return USUAL_PAUSE_MS;
  const ms = seconds > SINCE_1970 ? seconds * 1000 - now.getTime() : seconds * 1000;
  return Math.min(Math.max(ms, 1000), LONGEST_PAUSE_MS);
}

/** How long to rest before the next request, in milliseconds: 0 while enough of the limit is left. */
export function restAfter(answer: Pick<HttpAnswer, 'headers'>, now: Date): number {
  const left = answer.headers['x-ratelimit-remaining-default'] ?? answer.headers['x-ratelimit-remaining'];
  if (left === undefined || !(Number(left) <= RESERVE)) return 0;
  return pauseWished(answer, now);
}
