import type { EntityObject } from '../adapters/adapter.js';
import type { PushOutcome } from '../sync/record-state.js';
import type { PlannedRecord } from './plan-page.js';

/** Numbers of records that were compared, by what became of them. */
export type PushCounts = Readonly<Record<'compared' | PushOutcome, number>>;

/** No records. */
export const NO_PUSH: PushCounts = {
  compared: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  review: 0,
  skipped: 0,
  failed: 0,
};

/** What a push would write to a record, and why. */
export interface PushSample {
  readonly object: EntityObject;
  /** ID of the record; null for one that would be created. */
  readonly id: string | null;
  readonly entity_id: string;
  readonly name: string | null;
  readonly outcome: PushOutcome;
  readonly changes: readonly {
    readonly field: string;
    readonly property: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly reason: string;
  }[];
}

/** Adds the outcomes of a page. */
export function addPushed(counts: PushCounts, outcomes: readonly PushOutcome[]): PushCounts {
  const sum: Record<keyof PushCounts, number> = { ...counts };
  sum.compared += outcomes.length;
  for (const outcome of outcomes) sum[outcome] += 1;
  return sum;
}

/** Returns examples of records that would be written, or need a decision. */
export function toPushSamples(planned: readonly PlannedRecord[]): PushSample[] {
  return planned
    .filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'skipped')
    .map(({ object, record, entity, outcome, decisions }) => ({
      object,
      id: record?.id ?? null,
      entity_id: entity.entity_id,
      name: entity.name,
      outcome,
      changes: decisions
        .filter(({ action }) => action !== 'keep')
        .map(({ field, property, theirs, ours, reason }) => ({ field, property, before: theirs, after: ours, reason })),
    }));
}
