import type { Tx } from '#kernel/db/transaction.js';
import { lockNumberOf } from './lock-number.js';

/** The locks of these entities in the one order that all transactions take them in, so that none can deadlock. */
export function locksOf(entityIds: readonly string[]): string[] {
  const numbers = [...new Set(entityIds)].map(lockNumberOf);
  return numbers.toSorted((a, b) => (a < b ? -1 : 1)).map(String);
}

/** Keeps writers away from clusters, by their canonical ids, until the transaction ends. */
export async function lockEntities(tx: Tx, canonicalIds: readonly string[]): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key', [locksOf(canonicalIds)]);
}
