import type { CrmObject } from '../adapters/adapter.js';
import type { Outcome } from './record-state.js';

/** Numbers of records of one kind. */
export type Counts = Readonly<Record<'read' | Outcome | 'deleted', number>>;

/** Numbers by kind. */
export type CountsByObject = Readonly<Partial<Record<CrmObject | 'activities', Counts>>>;

const NONE: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, deleted: 0 };

/** Adds the outcomes of a page. */
export function addOutcomes(
  counts: CountsByObject,
  object: CrmObject | 'activities',
  outcomes: readonly Outcome[],
): CountsByObject {
  const sum: Record<keyof Counts, number> = { ...(counts[object] ?? NONE) };
  sum.read += outcomes.length;
  for (const outcome of outcomes) sum[outcome] += 1;
  return { ...counts, [object]: sum };
}

/** Adds records that are known and were deleted. */
export function addDeleted(counts: CountsByObject, object: CrmObject, deleted: number): CountsByObject {
  const own = counts[object] ?? NONE;
  return { ...counts, [object]: { ...own, deleted: own.deleted + deleted } };
}

/** Returns how many records were read. */
export function totalRead(counts: CountsByObject): number {
  return Object.values(counts).reduce((sum, { read }) => sum + read, 0);
}
