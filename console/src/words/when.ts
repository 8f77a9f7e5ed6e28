const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

export const DAY_MS = 86_400_000;
const DAYS_PER_MONTH = 30.4;

/** Returns a time with its date, in the zone of the reader. */
export function exactTime(iso: string): string {
  return exact.format(new Date(iso));
}

/** Returns the date of a time, in the zone of the reader. */
export function day(time: string | number): string {
  return date.format(new Date(time));
}

/**
 * Returns how far away a time is, such as "3 days ago". Days that lie ahead are counted by the calendar, so that a morning
 * a week from now is "in 7 days" in the evening too.
 */
export function ago(iso: string, now = Date.now()): string {
  const days = (new Date(iso).getTime() - now) / DAY_MS;
  const size = Math.abs(days);
  if (size < 1 / 24) return relative.format(Math.round(days * 1440), 'minute');
  if (size < 1) return relative.format(Math.round(days * 24), 'hour');
  if (size < 45) return relative.format(days > 0 ? calendarDaysBetween(now, iso) : Math.round(days), 'day');
  if (size < 540) return relative.format(Math.round(days / DAYS_PER_MONTH), 'month');
  return relative.format(Math.round(days / 365), 'year');
}

/** Returns how many midnights of the reader's zone lie between two times. */
function calendarDaysBetween(from: number, to: string): number {
  const [start, end] = [new Date(from), new Date(to)].map(time => time.setHours(0, 0, 0, 0));
  return Math.round((end! - start!) / DAY_MS);
}

/** Returns how long a period lasted, such as "5 months". */
export function lasted(fromMs: number, toMs: number): string {
  const days = Math.round((toMs - fromMs) / DAY_MS);
  const unit = (count: number, name: Intl.NumberFormatOptions['unit']) =>
    new Intl.NumberFormat('en', { style: 'unit', unit: name!, unitDisplay: 'long', maximumFractionDigits: 1 }).format(
      count,
    );
  if (days < 1) return 'less than a day';
  if (days < 60) return unit(days, 'day');
  if (days < 700) return unit(Math.round(days / DAYS_PER_MONTH), 'month');
  return unit(days / 365, 'year');
}
