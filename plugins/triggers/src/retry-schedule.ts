import { createHash } from 'node:crypto';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delay before each attempt, in milliseconds. It spans three days, so that an outage over a weekend loses nothing. */
export const RETRY_SCHEDULE = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Maximum delay that a receiver can request with `Retry-After`. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

const JITTER_SHARE = 0.2;

/**
 * Milliseconds until the attempt after `attempts` failed ones; undefined when there is none. Up to a fifth is added, the
 * same for the same message and attempt, so that messages which failed together do not come back together.
 */
export function computeRetryDelayMs(attempts: number, messageId: string): number | undefined {
  const pause = RETRY_SCHEDULE[attempts];
  return pause === undefined
    ? undefined
    : Math.round(pause * (1 + JITTER_SHARE * hashToFraction(`${messageId}.${attempts}`)));
}

/** Milliseconds that a `Retry-After` asks for, as seconds or as a date, a day at most; undefined for what is neither. */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text)
    ? Number(text) * SECOND_MS
    : /[a-z]{3}/i.test(text)
      ? Date.parse(text) - nowMs
      : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** Hashes a text to a number from 0 up to 1. */
function hashToFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
