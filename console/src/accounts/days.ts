import { DAY_MS } from '../words/when.ts';

/** The days that can be chosen, from the first one to today, as positions from 0. A day ends at midnight where the reader is. */
export interface DayAxis {
  /** Midnight at which the first day begins, in milliseconds. */
  readonly firstMs: number;
  /** Position of today. */
  readonly last: number;
}

/** Returns the days from one time to another. There are always two, so that there is a choice. */
export function toDayAxis(fromMs: number, nowMs: number): DayAxis {
  const firstMs = new Date(fromMs).setHours(0, 0, 0, 0);
  return { firstMs, last: Math.max(1, Math.floor((nowMs - firstMs) / DAY_MS)) };
}

/** Returns the position of the day of a time; of one outside, that of the nearest day. */
export function toPosition({ firstMs, last }: DayAxis, atMs: number): number {
  return Math.min(last, Math.max(0, Math.floor((atMs - firstMs) / DAY_MS)));
}

/** Returns noon of the day at a position: a time that names this day, whatever the clocks were changed by. */
export function toNoon({ firstMs }: DayAxis, position: number): number {
  return firstMs + (position + 0.5) * DAY_MS;
}

/** Returns the end of the day at a position: all that happened on it is included. */
export function toEndOfDay({ firstMs }: DayAxis, position: number): number {
  return firstMs + (position + 1) * DAY_MS - 1;
}
