import type { Identifier } from '#domain/identity/focus.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/**
 * Removes those of these entities of which nothing is left, and which were created by what was retracted: without
 * observations, notes, leads and merged entities, and without people if they are companies. Their identifiers are free
 * again; a later statement about one creates a new entity. They must be locked.
 * @param began time of the first retracted statement. An entity that was created with it has the same time.
 * @returns the ids of the removed entities.
 */
export async function removeEmptyEntities(tx: Tx, ids: readonly string[], began: Instant): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `WITH empty AS MATERIALIZED (
       SELECT e.id FROM entities e
       WHERE e.workspace_id = $1 AND e.id = ANY ($2::uuid[]) AND e.canonical_id IS NULL
         AND e.created_at >= $3::timestamptz
         AND NOT EXISTS (SELECT FROM observations o
           WHERE o.workspace_id = $1 AND o.entity_id = e.id AND NOT starts_with(o.source, 'system:'))
         AND NOT EXISTS (SELECT FROM notes n WHERE n.workspace_id = $1 AND n.entity_id = e.id)
         AND NOT EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.entity_id = e.id)
         AND NOT EXISTS (SELECT FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = e.id)
         AND NOT EXISTS (SELECT FROM entities p
           WHERE p.workspace_id = $1 AND p.company_id = e.id AND p.canonical_id IS DISTINCT FROM p.id)
     ), updated AS (
       UPDATE entities SET canonical_id = entities.id, company_id = NULL, retracted_at = clock_timestamp()
       FROM empty WHERE entities.workspace_id = $1 AND entities.id = empty.id
     )
     SELECT id FROM empty`,
    [tx.workspace, ids, toIso(began)],
  );
  const removed = rows.map(({ id }) => id);
  await tx.query(
    `WITH freed AS (
       DELETE FROM identifiers WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) RETURNING kind, key, value, entity_id
     )
     INSERT INTO retracted_identifiers (workspace_id, kind, key, value, entity_id)
     SELECT $1, kind, key, value, entity_id FROM freed`,
    [tx.workspace, removed],
  );
  return removed;
}

/** An identifier of an entity, and whether the entity was created with it. */
export interface OwnedIdentifier extends Identifier {
  readonly entity_id: string;
  readonly is_original: boolean;
  readonly first_seen: Instant;
}

/** Returns the identifiers of these entities. */
export function readOwnedIdentifiers(tx: Tx, ids: readonly string[]): Promise<OwnedIdentifier[]> {
  return tx.query<OwnedIdentifier>(
    `SELECT i.kind, i.key, i.value, i.entity_id, i.first_seen, i.first_seen <= e.created_at AS is_original
     FROM identifiers i JOIN entities e ON e.workspace_id = $1 AND e.id = i.entity_id
     WHERE i.workspace_id = $1 AND i.entity_id = ANY ($2::uuid[])`,
    [tx.workspace, ids],
  );
}

/** Takes identifiers away from their entities. */
export async function detachIdentifiers(tx: Tx, identifiers: readonly Identifier[]): Promise<void> {
  await tx.query(
    `DELETE FROM identifiers i USING unnest($2::text[], $3::text[]) AS gone (kind, key)
     WHERE i.workspace_id = $1 AND i.kind = gone.kind AND i.key = gone.key`,
    [tx.workspace, identifiers.map(({ kind }) => kind), identifiers.map(({ key }) => key)],
  );
}

/** Clears the company of a person if it is one of these, before it is computed from the addresses that are left. */
export async function clearCompany(tx: Tx, id: string, companies: readonly string[]): Promise<void> {
  await tx.query(
    'UPDATE entities SET company_id = NULL WHERE workspace_id = $1 AND id = $2 AND company_id = ANY ($3::uuid[])',
    [tx.workspace, id, companies],
  );
}

/** Returns the ids of the people who were retracted and had one of these identifiers, or have this id. */
export async function findRetractedPeople(
  tx: Tx,
  identifiers: readonly Pick<Identifier, 'kind' | 'key'>[],
  id: string | null = null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT e.id FROM entities e
     WHERE e.workspace_id = $1 AND e.type = 'person' AND e.retracted_at IS NOT NULL AND (e.id = $4::uuid OR e.id IN (
       SELECT r.entity_id FROM unnest($2::text[], $3::text[]) AS requested (kind, key)
       JOIN retracted_identifiers r ON r.workspace_id = $1 AND r.kind = requested.kind AND r.key = requested.key))
     ORDER BY e.id`,
    [tx.workspace, identifiers.map(({ kind }) => kind), identifiers.map(({ key }) => key), id],
  );
  return rows.map(row => row.id);
}

/** Returns the identifiers that retracted entities had. */
export function readRetractedIdentifiers(tx: Tx, ids: readonly string[]): Promise<Identifier[]> {
  return tx.query<Identifier>(
    'SELECT kind, key, value FROM retracted_identifiers WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[])',
    [tx.workspace, ids],
  );
}
