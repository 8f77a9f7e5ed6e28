import type { Instant } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { toLockKey } from './lock-number.js';

/** The locks of these entities in the one order that all transactions take them in, so that none can deadlock. */
export function toLockKeys(entityIds: readonly string[]): string[] {
  const numbers = [...new Set(entityIds)].map(toLockKey);
  return numbers.toSorted((a, b) => (a < b ? -1 : 1)).map(String);
}

const LOCK = prepare(
  'SELECT count(pg_advisory_xact_lock(key)), clock_timestamp() AS at FROM unnest($1::bigint[]) AS key',
);

/**
 * Keeps writers away from clusters, by their canonical ids, until the transaction ends.
 * @returns when they had been locked: whoever wrote about them before began before this.
 */
export async function lockEntities(tx: Tx, canonicalIds: readonly string[]): Promise<Instant> {
  const [row] = await tx.query<{ at: Instant }>(LOCK, [toLockKeys(canonicalIds)]);
  return row!.at;
}
