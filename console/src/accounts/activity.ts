const WEEK_MS = 7 * 86_400_000;

/** Weeks that are drawn. */
export const ACTIVITY_WEEKS = 26;

/** How much happened in a week. */
export interface ActivityWeek {
  /** Beginning of the week, in milliseconds. */
  readonly from: number;
  readonly count: number;
}

/**
 * Counts what happened in each of the last weeks, the oldest first.
 * @param events times of what happened, ISO 8601, all since `knownSince`
 * @param knownSince time from which on all events are given, in milliseconds; weeks that begin before are left out
 * @param now end of the last week, in milliseconds
 */
export function countWeeks(events: readonly string[], knownSince: number, now: number): ActivityWeek[] {
  const weeks = Array.from({ length: ACTIVITY_WEEKS }, (_, index) => now - (ACTIVITY_WEEKS - index) * WEEK_MS);
  const times = events.map(at => Date.parse(at));
  return weeks
    .filter(from => from >= knownSince)
    .map(from => ({ from, count: times.filter(at => at >= from && at < from + WEEK_MS).length }));
}
