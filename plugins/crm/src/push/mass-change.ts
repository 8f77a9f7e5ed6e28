import { ENTITY_OBJECTS } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import type { PushSample } from './push-counts.js';

/** A push that waits for a decision, because it would change much of the CRM. */
export interface MassChange {
  /** When it was found, ISO 8601. */
  readonly at: string;
  /** Number of records that it would create or change. */
  readonly records: number;
  readonly limit: number;
  readonly samples: readonly PushSample[];
  /** Whether somebody has approved it: the next sync writes it. */
  readonly isApproved: boolean;
}

const KEY = 'mass-change';
const MAX_RECORDS = 1_000;
const MAX_SHARE = 0.1;
/** In a small CRM a tenth is next to nothing. */
const MIN_LIMIT = 10;
/** What was approved may have grown by this factor when it is written. */
const GROWTH = 1.1;

const totalKey = (object: string) => `total:${object}`;

/** Keeps how many records the CRM has of an object. */
export function saveTotal(hub: Hub, object: string, records: number): Promise<void> {
  return hub.store.put(totalKey(object), records);
}

/**
 * Returns how many records a push may create or change without being approved: a tenth of those that the CRM has, at least
 * 10 and at most 1000.
 */
export async function readChangeLimit(hub: Hub): Promise<number> {
  const totals = await hub.store.getMany<number>(ENTITY_OBJECTS.map(totalKey));
  if (totals.size === 0) return MAX_RECORDS;
  const sum = [...totals.values()].reduce((a, b) => a + b, 0);
  return Math.max(MIN_LIMIT, Math.min(MAX_RECORDS, Math.ceil(sum * MAX_SHARE)));
}

/** Returns the push that waits; undefined if none does. */
export async function readMassChange(hub: Hub): Promise<MassChange | undefined> {
  return (await hub.store.get<never>(KEY)) as MassChange | undefined;
}

/** Keeps a push that waits; null once it has been approved, discarded, or is no longer large. */
export function saveMassChange(hub: Hub, change: MassChange | null): Promise<void> {
  return change === null ? hub.store.delete(KEY) : hub.store.put(KEY, change as never);
}

/** Returns whether a push was approved and has at most what it had then, with a little that has come since. */
export function isApproved(records: number, waiting: MassChange | undefined): boolean {
  return waiting?.isApproved === true && records <= waiting.records * GROWTH + MIN_LIMIT;
}
