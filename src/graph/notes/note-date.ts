import * as en from 'chrono-node/en';
import { type Instant, parseInstant, toIso } from '#domain/time/instant.js';

/**
 * Parses the calendar day that a text names, as YYYY-MM-DD: an ISO 8601 date or time (the day as written), or words such
 * as `yesterday`, `last Tuesday`, `3 March` (day before month). Returns undefined if the text names no day, or more than
 * a day.
 * @param now reference time for relative words; days begin at midnight UTC.
 */
export function readDay(text: string, now: Instant): string | undefined {
  const plain = text.trim();
  if (parseInstant(plain) !== undefined) return plain.slice(0, 10);
  // An invalid ISO 8601 date is rejected, not reinterpreted: 2026-13-01 is not 13 January.
  if (/^\d{4}-\d/.test(plain)) return undefined;
  const reference = { instant: new Date(now / 1000), timezone: 0 };
  const [found, ...more] = en.GB.parse(plain, reference);
  if (!found || more.length > 0 || found.end || !matchesWholeText(plain, found.text)) return undefined;
  const [year, month, day] = (['year', 'month', 'day'] as const).map(part => found.start.get(part));
  const iso = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  return parseInstant(iso) === undefined ? undefined : iso;
}

/** Returns the UTC calendar day of `now` as YYYY-MM-DD. */
export function toDay(now: Instant): string {
  return toIso(now).slice(0, 10);
}

function matchesWholeText(text: string, found: string): boolean {
  return text.toLowerCase().replace(/^on\s+/, '') === found.toLowerCase().replace(/^on\s+/, '');
}

function twoDigits(value: number | null | undefined): string {
  return String(value ?? 0).padStart(2, '0');
}
