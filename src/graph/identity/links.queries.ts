import type { EntityLink, ClusterNode } from '#domain/identity/clusters.js';
import type { EntityType, Identifier } from '#domain/identity/focus.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { toLockKey } from './entity-locks.js';
import { notErasedSql } from './erased.queries.js';

/** An entity and its cluster. */
export interface ClusterMember extends ClusterNode {
  readonly type: EntityType;
  readonly canonicalId: string;
}

/** A stored link between two entities. */
export interface LinkRow {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly kind: EntityLink['kind'];
  readonly source: string;
  readonly reason: string | null;
  readonly created_at: Instant;
  readonly retracted_at: Instant | null;
}

/** Distinct from the lock of the workspace, which serializes the insertion of identifiers. */
const mergeLockKey = (workspace: string) => String(toLockKey(workspace) ^ 1n);

/**
 * Locks the workspace against other merges until the transaction ends, so that clusters found afterwards do not change.
 * Must be taken before cluster locks.
 */
export async function lockMerges(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1::bigint)', [mergeLockKey(tx.workspace)]);
}

/** Returns all members of the clusters with these canonical ids, without erased people. */
export async function readMembers(tx: Tx, canonicalIds: readonly string[]): Promise<ClusterMember[]> {
  const rows = await tx.query<{ id: string; type: EntityType; canonical_id: string | null; created_at: Instant }>(
    `SELECT id, type, canonical_id, created_at FROM entities e
     WHERE workspace_id = $1 AND id = ANY ($2) AND ${notErasedSql('e')}
     UNION
     SELECT id, type, canonical_id, created_at FROM entities e
     WHERE workspace_id = $1 AND canonical_id = ANY ($2) AND ${notErasedSql('e')}`,
    [tx.workspace, canonicalIds],
  );
  return rows.map(row => ({
    id: row.id,
    type: row.type,
    canonicalId: row.canonical_id ?? row.id,
    createdAt: row.created_at,
  }));
}

/** Returns the identifiers of these entities. */
export function readIdentifiersOf(tx: Tx, ids: readonly string[]): Promise<Identifier[]> {
  return tx.query<Identifier>(
    'SELECT kind, key, value FROM identifiers WHERE workspace_id = $1 AND entity_id = ANY ($2)',
    [tx.workspace, ids],
  );
}

/** Returns the links among these entities that are not retracted, in no order. */
export async function readActiveLinks(tx: Tx, ids: readonly string[]): Promise<EntityLink[]> {
  const rows = await tx.query<LinkRow>(
    `SELECT id, a, b, kind, created_at FROM entity_links
     WHERE workspace_id = $1 AND a = ANY ($2) AND b = ANY ($2) AND retracted_at IS NULL`,
    [tx.workspace, ids],
  );
  return rows.map(({ id, a, b, kind, created_at }) => ({ id, a, b, kind, createdAt: created_at }));
}

/** Returns every link of these entities, including retracted ones, newest first, at most 1,000. */
export function readLinks(tx: Tx, ids: readonly string[]): Promise<LinkRow[]> {
  return tx.query<LinkRow>(
    `SELECT id, a, b, kind, source, reason, created_at, retracted_at FROM entity_links
     WHERE workspace_id = $1 AND (a = ANY ($2) OR b = ANY ($2)) ORDER BY created_at DESC, id DESC LIMIT 1000`,
    [tx.workspace, ids],
  );
}

/**
 * Inserts a link; does nothing if the two already have an active link of this kind.
 * @returns its time, which is read after the locks were granted, not at BEGIN.
 */
export async function insertLink(tx: Tx, link: Omit<LinkRow, 'created_at' | 'retracted_at'>): Promise<Instant> {
  const [a, b] = [link.a, link.b].toSorted();
  const [row] = await tx.query<{ at: Instant }>(
    `INSERT INTO entity_links (workspace_id, id, a, b, kind, source, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
     ON CONFLICT (workspace_id, a, b, kind) WHERE retracted_at IS NULL DO NOTHING RETURNING created_at AS at`,
    [tx.workspace, link.id, a, b, link.kind, link.source, link.reason],
  );
  return row?.at ?? tx.now();
}

/** Retracts links. They stay in the table as history. */
export async function retractLinks(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `UPDATE entity_links SET retracted_at = clock_timestamp()
     WHERE workspace_id = $1 AND id = ANY ($2) AND retracted_at IS NULL`,
    [tx.workspace, ids],
  );
}

/** Sets the canonical id of each entity, given as pairs of id and canonical id. */
export async function updateCanonicalIds(tx: Tx, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await tx.query(
    `UPDATE entities SET canonical_id = nullif(pair.canonical_id, pair.id)
     FROM unnest($2::uuid[], $3::uuid[]) AS pair (id, canonical_id)
     WHERE workspace_id = $1 AND entities.id = pair.id`,
    [tx.workspace, pairs.map(([id]) => id), pairs.map(([, canonicalId]) => canonicalId)],
  );
}
