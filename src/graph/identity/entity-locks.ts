import type { Instant } from '#domain/time/instant.js';
import { statement } from '#kernel/db/statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import { lockNumberOf } from './lock-number.js';

/** The locks of these entities in the one order that all transactions take them in, so that none can deadlock. */
export function locksOf(entityIds: readonly string[]): string[] {
  const numbers = [...new Set(entityIds)].map(lockNumberOf);
  return numbers.toSorted((a, b) => (a < b ? -1 : 1)).map(String);
}

const LOCK = statement(
  'SELECT count(pg_advisory_xact_lock(key)), clock_timestamp() AS at FROM unnest($1::bigint[]) AS key',
);

/**
 * Keeps writers away from clusters, by their canonical ids, until the transaction ends.
 * @returns when they had been locked: whoever wrote about them before began before this.
 */
export async function lockEntities(tx: Tx, canonicalIds: readonly string[]): Promise<Instant> {
  const [row] = await tx.query<{ at: Instant }>(LOCK, [locksOf(canonicalIds)]);
  return row!.at;
}
