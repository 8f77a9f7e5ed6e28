import { DAY_US, type Instant, parseInstant } from '#domain/time/instant.js';

const UNITS: Readonly<Record<string, Instant>> = {
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: DAY_US,
  w: 7 * DAY_US,
};
const DURATION = /^(\d{1,6})([smhdw])$/;
const RELATIVE = /^([+-])(\d{1,6}[smhdw])$/;

/** Parses a duration such as `30d`, `12h`, `90m`, `45s`, `2w` into microseconds; undefined for anything else. */
export function parseDuration(text: string): Instant | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit]!;
}

/** Parses a time in a filter: ISO 8601, or relative to `now` such as `-30d` and `+2h`. */
export function parseTime(text: string, now: Instant): Instant | undefined {
  const [, sign, duration = ''] = RELATIVE.exec(text) ?? [];
  if (sign === undefined) return parseInstant(text);
  return now + (sign === '-' ? -1 : 1) * parseDuration(duration)!;
}
