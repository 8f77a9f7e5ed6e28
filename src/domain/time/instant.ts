/**
 * Microseconds since 1970-01-01T00:00:00Z, a safe integer. More precise than a Date, because batches are ordered by
 * microseconds.
 */
export type Instant = number;

/** One day in microseconds. */
export const DAY_US: Instant = 86_400_000_000;

/** One hour, in microseconds. */
export const HOUR_US: Instant = 3_600_000_000;

const MINUTE_US: Instant = 60_000_000;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;
const EARLIEST: Instant = Date.UTC(FIRST_YEAR, 0, 1) * 1000;
const LATEST: Instant = Date.UTC(LAST_YEAR + 1, 0, 1) * 1000 - 1;

const ISO_8601 = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Parses an ISO 8601 date or date-time. A date alone is midnight UTC, a time without an offset is UTC, and digits after
 * the sixth of a second are dropped. Undefined for anything else: other formats, invalid days (2026-02-30), years
 * outside 1900..2200.
 */
export function parseInstant(text: string): Instant | undefined {
  const parts = ISO_8601.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = parts;
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const shift = parseOffset(offset);
  if (shift === undefined) return undefined;
  const seconds = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const instant = seconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0')) - shift;
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

/** Returns the time that is so much after another, within the years 1900 to 2200: no observation lies outside of them. */
export function addDuration(time: Instant, duration: Instant): Instant {
  return Math.min(Math.max(time + duration, EARLIEST), LATEST);
}

/** Formats an instant as 'YYYY-MM-DDTHH:MM:SS.ffffffZ'; `parseInstant` reads it back unchanged. */
export function toIso(instant: Instant): string {
  const day = Math.floor(instant / DAY_US);
  const minute = Math.floor((instant - day * DAY_US) / MINUTE_US);
  const rest = String(instant - day * DAY_US - minute * MINUTE_US).padStart(8, '0');
  const clock = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
  return `${formatDay(day)}${clock}:${rest.slice(0, 2)}.${rest.slice(2)}Z`;
}

/** Formats an instant like `toIso`; null if there is none. */
export function toIsoOrNull(instant: Instant | null | undefined): string | null {
  return instant === null || instant === undefined ? null : toIso(instant);
}

/**
 * Cache of formatted days: formatting one with Date takes five times as long as everything else. Memoises a pure
 * function, bounded.
 */
const dayCache = new Map<number, string>();
const MAX_CACHED_DAYS = 4096;

function formatDay(day: number): string {
  let text = dayCache.get(day);
  if (text === undefined) {
    if (dayCache.size >= MAX_CACHED_DAYS) dayCache.clear();
    dayCache.set(day, (text = new Date((day * DAY_US) / 1000).toISOString().slice(0, 11)));
  }
  return text;
}

function twoDigits(count: number): string {
  return count < 10 ? `0${count}` : String(count);
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns the UTC offset in microseconds; undefined for an invalid one. */
function parseOffset(offset: string): Instant | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 23 || minutes > 59) return undefined;
  const ahead = (hours * 60 + minutes) * MINUTE_US;
  return offset.startsWith('-') ? -ahead : ahead;
}
