import * as en from 'chrono-node/en';
import { type Instant, toIso } from '../../time/instant.js';
import type { TextSpan } from '../extraction.js';

/** A calendar day, YYYY-MM-DD, mentioned in a text. For a month, quarter or year it is the last day. */
export interface DateMention extends TextSpan {
  readonly day: string;
}

const QUARTER = /\b(?:end of |early |mid[- ]|late )?Q([1-4])(?:\s*(?:(?:of |\/|FY)\s*)?'?(20\d\d|\d\d))?\b/i;
const ENDS =
  /\b(?:(?:the )?end of (?:the |this )?(year|quarter|month)|(year|quarter|month)[- ]end|(?:(this|next) (year|quarter)))\b/i;

/** Finds the first date of a text at or after `from`. Relative and partial dates are resolved forward from `at`. */
export function findDate(text: string, at: Instant, from = 0): DateMention | undefined {
  const tail = text.slice(from);
  const now = new Date(at / 1000);
  const found = [findQuarter(tail, now), findPeriodEnd(tail, now), findDatePhrase(tail, now)].filter(
    day => day !== undefined,
  );
  const first = found.toSorted((a, b) => a.start - b.start || b.end - a.end)[0];
  return first && { day: first.day, start: first.start + from, end: first.end + from };
}

/** Returns the UTC day of an instant. */
export function toUtcDay(at: Instant): string {
  return toIso(at).slice(0, 10);
}

function findQuarter(text: string, now: Date): DateMention | undefined {
  const match = QUARTER.exec(text);
  if (!match) return undefined;
  const quarter = Number(match[1]);
  const written = match[2] === undefined ? undefined : Number(match[2].padStart(4, '20'));
  const isOver = quarter * 3 <= now.getUTCMonth();
  const year = written ?? now.getUTCFullYear() + (isOver ? 1 : 0);
  return { day: lastDayOfMonth(year, quarter * 3), start: match.index, end: match.index + match[0].length };
}

function findPeriodEnd(text: string, now: Date): DateMention | undefined {
  const match = ENDS.exec(text);
  if (!match) return undefined;
  const unit = (match[1] ?? match[2] ?? match[4])!.toLowerCase();
  const next = match[3]?.toLowerCase() === 'next' ? 1 : 0;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  const quarterEnd = Math.ceil(month / 3) * 3;
  const until = {
    year: lastDayOfMonth(year + next, 12),
    quarter: lastDayOfMonth(year, quarterEnd + 3 * next),
    month: lastDayOfMonth(year, month),
  };
  return { day: until[unit as keyof typeof until], start: match.index, end: match.index + match[0].length };
}

function findDatePhrase(text: string, now: Date): DateMention | undefined {
  const [found] = en.parse(text, { instant: now, timezone: 0 }, { forwardDate: true });
  if (!found) return undefined;
  const { start } = found;
  const [year, month, day] = (['year', 'month', 'day'] as const).map(part => start.get(part) ?? 1) as [
    number,
    number,
    number,
  ];
  const isDay = start.isCertain('day') || start.isCertain('weekday') || !start.isCertain('month');
  const iso = isDay ? new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10) : lastDayOfMonth(year, month);
  return { day: iso, start: found.index, end: found.index + found.text.length };
}

function lastDayOfMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
