import type { Instant } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { toLockKey } from './lock-number.js';

/**
 * Returns the advisory lock keys of these entities in ascending order. All transactions lock in this order, so they
 * cannot deadlock.
 */
export function toLockKeys(entityIds: readonly string[]): string[] {
  const numbers = [...new Set(entityIds)].map(toLockKey);
  return numbers.toSorted((a, b) => (a < b ? -1 : 1)).map(String);
}

const LOCK = prepare(
  'SELECT count(pg_advisory_xact_lock(key)), clock_timestamp() AS at FROM unnest($1::bigint[]) AS key',
);

/**
 * Locks clusters, given by canonical id, against other writers until the transaction ends.
 * @returns the database time after the locks were granted; every earlier writer of these clusters began before it.
 */
export async function lockEntities(tx: Tx, canonicalIds: readonly string[]): Promise<Instant> {
  const [row] = await tx.query<{ at: Instant }>(LOCK, [toLockKeys(canonicalIds)]);
  return row!.at;
}
