import { createHash } from 'node:crypto';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause before each attempt, in milliseconds: over three days, so that an outage of a weekend loses nothing. */
export const PAUSES = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** A receiver may ask for a longer pause than ours, up to this. */
export const LONGEST_WISH_MS = 24 * HOUR;

const JITTER = 0.2;

/**
 * Milliseconds until the attempt after `attempts` failed ones; undefined when there is none. Up to a fifth is added, the
 * same for the same message and attempt, so that messages which failed together do not come back together.
 */
export function pauseAfter(attempts: number, messageId: string): number | undefined {
  const pause = PAUSES[attempts];
  return pause === undefined ? undefined : Math.round(pause * (1 + JITTER * share(`${messageId}.${attempts}`)));
}

/** Milliseconds that a `Retry-After` asks for, as seconds or as a date, a day at most; undefined for what is neither. */
export function wishedPause(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : /[a-z]{3}/i.test(text) ? Date.parse(text) - nowMs : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WISH_MS);
}

/** A number from 0 up to 1 that a text decides. */
function share(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
