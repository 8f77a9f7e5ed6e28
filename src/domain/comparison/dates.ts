import { foldLetters } from './canonical-key.js';

/** Days since 1970-01-01 of the first and the last day that a date may mean. */
export interface DayRange {
  readonly low: number;
  readonly high: number;
}

const DAY_MS = 86_400_000;
const MAX_DATE_TEXT = 60;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})(?:[t ].*)?$/;
const ISO_MONTH = /^(\d{4})-(\d{2})$/;
const YEAR = /^(\d{4})$/;
const QUARTER = /^(?:q([1-4]) ?[/.-]? ?(\d{4})|(\d{4}) ?[/.-]? ?q([1-4]))$/;
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4})$/;
const WORDS =
  /^(?:(\d{1,2})(?:st|nd|rd|th)?\.? ?(?:de |of )?)?(\p{L}{3,12})\.? ?(?:(\d{1,2})(?:st|nd|rd|th)?,? )?(?:de |del )?,? ?(\d{4})$/u;

/** Beginnings of the months in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'gen', 'ene', 'jän'],
  ['feb', 'fev'],
  ['mar', 'maer', 'mrt', 'maa'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'mei', 'maj', 'mag'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott', 'out'],
  ['nov'],
  ['dec', 'dez', 'dic'],
];

/**
 * Parses a day, month, quarter or year: ISO 8601, `20.11.2026`, `20 November 2026`, `Nov 2026`, `Q4 2026`, `2026`.
 * Undefined for other text, and where day and month are ambiguous (`03/04/2026`).
 */
export function parseDayRange(given: string): DayRange | undefined {
  if (given.length > MAX_DATE_TEXT) return undefined;
  const text = foldLetters(given.trim().replaceAll(/\s+/g, ' '));
  const day = ISO_DAY.exec(text);
  if (day) return toDay(Number(day[1]), Number(day[2]), Number(day[3]));
  const month = ISO_MONTH.exec(text);
  if (month) return toMonths(Number(month[1]), Number(month[2]), 1);
  const year = YEAR.exec(text);
  if (year) return toMonths(Number(year[1]), 1, 12);
  const quarter = QUARTER.exec(text);
  if (quarter) return toMonths(Number(quarter[2] ?? quarter[3]), Number(quarter[1] ?? quarter[4]) * 3 - 2, 3);
  return parseNumericDay(text) ?? parseWordyDay(text);
}

function parseNumericDay(text: string): DayRange | undefined {
  const [, first, separator, second, year] = NUMERIC.exec(text) ?? [];
  if (first === undefined) return undefined;
  const [one, other] = [Number(first), Number(second)];
  if (separator === '.' || one > 12) return toDay(Number(year), other, one);
  return other > 12 ? toDay(Number(year), one, other) : one === other ? toDay(Number(year), one, other) : undefined;
}

function parseWordyDay(text: string): DayRange | undefined {
  const [, before, name = '', after, year] = WORDS.exec(text) ?? [];
  const month = year === undefined ? -1 : findMonth(name);
  if (month < 0) return undefined;
  const day = before ?? after;
  return day === undefined ? toMonths(Number(year), month + 1, 1) : toDay(Number(year), month + 1, Number(day));
}

/** Returns the month that a word names, from 0; the longest beginning counts (`juin` before `ju`). */
function findMonth(name: string): number {
  let best = { month: -1, length: 0 };
  MONTHS.forEach((beginnings, month) => {
    for (const beginning of beginnings) {
      if (name.startsWith(beginning) && beginning.length > best.length) best = { month, length: beginning.length };
    }
  });
  return best.month;
}

function toDay(year: number, month: number, day: number): DayRange | undefined {
  const time = Date.UTC(year, month - 1, day);
  const isReal = new Date(time).getUTCMonth() === month - 1 && new Date(time).getUTCDate() === day;
  return isReal ? { low: time / DAY_MS, high: time / DAY_MS } : undefined;
}

function toMonths(year: number, month: number, count: number): DayRange | undefined {
  if (month < 1 || month > 12) return undefined;
  return { low: Date.UTC(year, month - 1, 1) / DAY_MS, high: Date.UTC(year, month - 1 + count, 1) / DAY_MS - 1 };
}
