import * as en from 'chrono-node/en';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Span } from '../extraction.js';

/** A calendar day, YYYY-MM-DD, where it is named. Of a month, quarter or year it is the last day. */
export interface NamedDay extends Span {
  readonly day: string;
}

const QUARTER = /\b(?:end of |early |mid[- ]|late )?Q([1-4])(?:\s*(?:(?:of |\/|FY)\s*)?'?(20\d\d|\d\d))?\b/i;
const ENDS =
  /\b(?:(?:the )?end of (?:the |this )?(year|quarter|month)|(year|quarter|month)[- ]end|(?:(this|next) (year|quarter)))\b/i;

/** The first day that a text names, at or after `from`; words and bare months are read as of `at`, forward. */
export function dayIn(text: string, at: Instant, from = 0): NamedDay | undefined {
  const tail = text.slice(from);
  const now = new Date(at / 1000);
  const found = [quarterIn(tail, now), endIn(tail, now), wordsIn(tail, now)].filter(day => day !== undefined);
  const first = found.toSorted((a, b) => a.start - b.start || b.end - a.end)[0];
  return first && { day: first.day, start: first.start + from, end: first.end + from };
}

/** The day of an instant, UTC. */
export function dayOf(at: Instant): string {
  return toIso(at).slice(0, 10);
}

function quarterIn(text: string, now: Date): NamedDay | undefined {
  const match = QUARTER.exec(text);
  if (!match) return undefined;
  const quarter = Number(match[1]);
  const written = match[2] === undefined ? undefined : Number(match[2].padStart(4, '20'));
  const isOver = quarter * 3 <= now.getUTCMonth();
  const year = written ?? now.getUTCFullYear() + (isOver ? 1 : 0);
  return { day: lastDay(year, quarter * 3), start: match.index, end: match.index + match[0].length };
}

function endIn(text: string, now: Date): NamedDay | undefined {
  const match = ENDS.exec(text);
  if (!match) return undefined;
  const unit = (match[1] ?? match[2] ?? match[4])!.toLowerCase();
  const next = match[3]?.toLowerCase() === 'next' ? 1 : 0;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  const quarterEnd = Math.ceil(month / 3) * 3;
  const until = {
    year: lastDay(year + next, 12),
    quarter: lastDay(year, quarterEnd + 3 * next),
    month: lastDay(year, month),
  };
  return { day: until[unit as keyof typeof until], start: match.index, end: match.index + match[0].length };
}

function wordsIn(text: string, now: Date): NamedDay | undefined {
  const [found] = en.parse(text, { instant: now, timezone: 0 }, { forwardDate: true });
  if (!found) return undefined;
  const { start } = found;
  const [year, month, day] = (['year', 'month', 'day'] as const).map(part => start.get(part) ?? 1) as [
    number,
    number,
    number,
  ];
  const isDay = start.isCertain('day') || start.isCertain('weekday') || !start.isCertain('month');
  const iso = isDay ? new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10) : lastDay(year, month);
  return { day: iso, start: found.index, end: found.index + found.text.length };
}

function lastDay(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
