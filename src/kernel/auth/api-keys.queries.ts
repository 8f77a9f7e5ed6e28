import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A key that may create others, or may not any more. */
export interface MakerRow {
  readonly expires_at: Instant | null;
  readonly is_living: boolean;
}

/** Makes creations and revocations of keys of the workspace wait for each other until the transaction ends. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`api keys ${tx.workspace}`]);
}

/** Returns the key of a maker; undefined if the workspace has none with this ID. */
export async function readMaker(tx: Tx, id: string): Promise<MakerRow | undefined> {
  const [row] = await tx.query<MakerRow>(
    `SELECT expires_at, revoked_at IS NULL AND (expires_at > now()) IS NOT FALSE AS is_living
     FROM api_keys WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id],
  );
  return row;
}

/** Returns the number of keys that are neither revoked nor expired. */
export async function countLivingKeys(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ living: number }>(
    `SELECT count(*)::int AS living FROM api_keys
     WHERE workspace_id = $1 AND revoked_at IS NULL AND (expires_at > now()) IS NOT FALSE`,
    [tx.workspace],
  );
  return row!.living;
}

/**
 * Revokes all keys that descend from a key: those that it created or approved, those that they did, and so on, also
 * where a key between them is revoked or expired already.
 * @returns the IDs of the keys that were revoked by this call.
 */
export async function revokeDescendants(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE tree AS (
       SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2
       UNION
       SELECT key.id FROM api_keys key JOIN tree ON key.created_by_id = tree.id::text
       WHERE key.workspace_id = $1 AND key.created_by_kind IN ('key', 'oauth'))
     UPDATE api_keys key SET revoked_at = now() FROM tree
     WHERE key.workspace_id = $1 AND key.id = tree.id AND key.id <> $2 AND key.revoked_at IS NULL
     RETURNING key.id`,
    [tx.workspace, id],
  );
  return rows.map(row => row.id).toSorted();
}
