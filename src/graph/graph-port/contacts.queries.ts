import type { ContactFacts } from '#sdk/events.js';
import type { PersonSummary } from '#sdk/ports/people-port.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersOfSql } from '../identity/links.queries.js';

/** Reads name and first known address of the people among these entities. One statement. */
export async function readContactFacts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, ContactFacts>> {
  const rows = await tx.query<ContactFacts>(
    `SELECT id AS entity_id, name,
       (SELECT value FROM identifiers WHERE workspace_id = $1 AND entity_id = entities.id AND kind = 'email'
        ORDER BY first_seen, key LIMIT 1) AS email
     FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND type = 'person'`,
    [tx.workspace, ids],
  );
  return new Map(rows.map(row => [row.entity_id, row]));
}

/**
 * Reads a page of the canonical people with an e-mail address, in ID order, with all addresses of the cluster, oldest
 * first.
 * @param after last ID of the previous page; null for the first page.
 */
export function readPeopleWithEmail(tx: Tx, after: string | null, limit: number): Promise<PersonSummary[]> {
  return tx.query<PersonSummary>(
    `SELECT e.id AS entity_id, e.name, address.emails FROM entities e
     CROSS JOIN LATERAL (
       SELECT array_agg(i.value ORDER BY i.first_seen, i.key) AS emails FROM (${membersOfSql('e.id')}) AS member
       JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.id AND i.kind = 'email'
     ) AS address
     WHERE e.workspace_id = $1 AND e.type = 'person' AND e.canonical_id IS NULL AND address.emails IS NOT NULL
       AND ($2::uuid IS NULL OR e.id > $2::uuid)
     ORDER BY e.id LIMIT $3`,
    [tx.workspace, after, limit],
  );
}

/** An identifier of a cluster. */
export interface ClusterIdentifierRow {
  /** Canonical ID. */
  readonly entity_id: string;
  readonly kind: 'email' | 'domain' | 'external';
  /** Of an external ID: system, colon, ID. */
  readonly value: string;
}

/** Reads addresses, domains and external IDs of clusters, given by canonical ID, the oldest first. One statement. */
export function readIdentifierRows(tx: Tx, canonicalIds: readonly string[]): Promise<ClusterIdentifierRow[]> {
  return tx.query<ClusterIdentifierRow>(
    `SELECT cluster.id AS entity_id, i.kind, i.value
     FROM unnest($2::uuid[]) AS cluster (id)
     CROSS JOIN LATERAL (${membersOfSql('cluster.id')}) AS member
     JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.id AND i.kind IN ('email', 'domain', 'external')
     ORDER BY i.first_seen, i.key`,
    [tx.workspace, canonicalIds],
  );
}

/** Reads the names of entities by canonical ID. One statement. */
export async function readEntityNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.query<{ readonly id: string; readonly name: string | null }>(
    `SELECT id, name FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [tx.workspace, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
