import type { Instant } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';

/**
 * Returns the last eight bytes of a UUIDv7, which are random, as an advisory lock key. Two ids with the same key only
 * wait for each other. They cannot deadlock, because locks are taken in one order.
 */
export function toLockKey(id: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(16)}`));
}

/**
 * Signals that an entity was merged or unmerged between its look-up and its lock. Has the SQLSTATE of a serialization
 * failure, so that the unit of work retries the transaction.
 */
export class ClusterChangedError extends Error {
  readonly code = '40001';

  constructor() {
    super('an entity was merged or unmerged while the transaction waited for it');
  }
}

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

/**
 * Locks those of these clusters, given by canonical id, that no other transaction holds; waits for none. For clusters
 * that a transaction finds while it holds others, whose order it cannot choose any more.
 * @returns the ids of the locked ones.
 */
export async function tryLockEntities(tx: Tx, canonicalIds: readonly string[]): Promise<string[]> {
  if (canonicalIds.length === 0) return [];
  const rows = await tx.query<{ id: string; locked: boolean }>(
    'SELECT id, pg_try_advisory_xact_lock(key) AS locked FROM unnest($1::text[], $2::bigint[]) AS cluster (id, key)',
    [canonicalIds, canonicalIds.map(id => String(toLockKey(id)))],
  );
  return rows.filter(({ locked }) => locked).map(({ id }) => id);
}
