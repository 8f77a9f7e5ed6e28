import type { AskSearch, Grouping } from './search.ts';

/** A group of matches. */
export interface Group {
  /** What is common to its matches; null for a value that is null. */
  readonly key: string | null;
  readonly count: number;
  readonly entities: number;
  readonly first: unknown;
}

/** Returns the groups of a response: those of times from the latest on, others from the largest on. */
export function readGroups(groups: readonly Readonly<Record<string, unknown>>[], by: Grouping): Group[] {
  const read = groups.map(({ key, count, distinct_entities, first }) => ({
    key: (key as Readonly<Record<string, string | null>>)[by] ?? null,
    count: Number(count),
    entities: Number(distinct_entities),
    first,
  }));
  return isTime(by) ? read.toSorted((a, b) => (a.key! < b.key! ? 1 : -1)) : read;
}

function isTime(by: Grouping): boolean {
  return by === 'month' || by === 'week' || by === 'day';
}

/** Returns the change of the address that leaves the matches of one group. */
export function narrowTo(by: Grouping, { key, first }: Group): Partial<AskSearch> {
  if (by === 'value') return { value: JSON.stringify(first ?? null) };
  if (key === null) return {};
  if (by === 'property') return { exact: key };
  return isTime(by) ? toDays(by, key) : { source: key };
}

const DAY_MS = 86_400_000;

/** Returns the first day of a month (`2026-11`), week (`2026-W48`, ISO 8601) or day, and the day after its last one. */
function toDays(by: Grouping, key: string): { from: string; to: string } {
  const format = (date: Date) => date.toISOString().slice(0, 10);
  if (by === 'month') {
    const start = new Date(`${key}-01T00:00:00Z`);
    return {
      from: format(start),
      to: format(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))),
    };
  }
  const start = by === 'week' ? toMonday(key) : new Date(`${key}T00:00:00Z`);
  return { from: format(start), to: format(new Date(start.getTime() + (by === 'week' ? 7 : 1) * DAY_MS)) };
}

/** Returns the Monday of an ISO week; 4 January always lies in week 1. */
function toMonday(key: string): Date {
  const [year, week] = key.split('-W').map(Number) as [number, number];
  const fourth = new Date(Date.UTC(year, 0, 4));
  const weekday = (fourth.getUTCDay() + 6) % 7;
  return new Date(fourth.getTime() + ((week - 1) * 7 - weekday) * DAY_MS);
}
