import { DAY_MS } from '../words/when.ts';

/** Part of the time before the first statement that is drawn as well. */
const LEAD = 1.04;

/** Places times on an axis that ends now. */
export interface TimeScale {
  /** Length of the axis, in milliseconds. */
  readonly reach: number;
  /** Returns the place of a time, 0 (first) to 1 (now). */
  readonly shareOf: (at: number) => number;
}

/**
 * Creates the axis of a claim. Recent time is drawn wider, by square root: what matters is mostly young, and the first years
 * would squeeze it to a point.
 * @param from time of the first statement, in milliseconds
 * @param to time at which the axis ends, in milliseconds
 */
export function createTimeScale(from: number, to: number): TimeScale {
  const reach = Math.max(to - from, DAY_MS) * LEAD;
  return { reach, shareOf: at => 1 - Math.sqrt(Math.min(1, Math.max(0, to - at) / reach)) };
}
