import { COMMIT_POSITION } from '#kernel/db/commit-positions.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { EntityLink, ClusterNode, Cluster } from '#domain/identity/clusters.js';
import type { EntityType, Identifier } from '#domain/identity/focus.js';
import { type Instant, toIsoOrNull } from '#domain/time/instant.js';
import type { Activity } from '#domain/observation/interaction-events.js';
import { toLockKey } from './entity-locks.js';
import { notRemovedSql, nameLookupKey, type Owner, writeNameWords } from './identifiers.queries.js';

/**
 * Returns SQL for the ids of the cluster with the canonical id `$n`: itself and all entities merged into it. Used in
 * statements that read the log or the identifiers of a whole cluster. `$1` is the workspace.
 */
export const membersSql = (n: number) =>
  `SELECT $${n}::uuid AS id UNION ALL SELECT id FROM entities WHERE workspace_id = $1 AND canonical_id = $${n}`;

/** Returns SQL as {@link membersSql}, for a column that holds a canonical id, in a lateral join. */
export const membersOfSql = (column: string) =>
  `SELECT ${column} AS id UNION ALL SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = ${column}`;

/** Returns the ids of the members of a cluster, the canonical id first. */
export async function readMemberIds(tx: Tx, canonicalId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(membersSql(2), [tx.workspace, canonicalId]);
  return [canonicalId, ...rows.flatMap(({ id }) => (id === canonicalId ? [] : [id])).toSorted()];
}

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
     WHERE workspace_id = $1 AND id = ANY ($2) AND ${notRemovedSql('e')}
     UNION
     SELECT id, type, canonical_id, created_at FROM entities e
     WHERE workspace_id = $1 AND canonical_id = ANY ($2) AND ${notRemovedSql('e')}`,
    [tx.workspace, canonicalIds],
  );
  return rows.map(row => ({
    id: row.id,
    type: row.type,
    canonicalId: row.canonical_id ?? row.id,
    createdAt: row.created_at,
  }));
}

/** Returns these entities with their clusters, without those that were removed. */
export async function findClusterOwners(tx: Tx, ids: readonly string[]): Promise<Owner[]> {
  const rows = await tx.query<{ id: string; canonical_id: string | null }>(
    `SELECT id, canonical_id FROM entities e WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND ${notRemovedSql('e')}`,
    [tx.workspace, ids],
  );
  return rows.map(({ id, canonical_id }) => ({ id, canonicalId: canonical_id ?? id }));
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
    `UPDATE entity_links SET retracted_at = clock_timestamp(), commit_position = ${COMMIT_POSITION}
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

/** Columns of an entity that are derived from its log. */
export interface DerivedFields extends Activity {
  readonly id: string;
  readonly name: string | null;
}

/** Replaces names and activity; the previous values are discarded. */
export async function replaceDerivedFields(tx: Tx, derived: readonly DerivedFields[]): Promise<void> {
  await tx.query(
    `UPDATE entities SET name = derived.name, name_key = derived.key, first_activity_at = derived.first,
            last_activity_at = derived.last, last_inbound_activity_at = derived.inbound
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[])
       AS derived (id, name, key, first, last, inbound)
     WHERE workspace_id = $1 AND entities.id = derived.id`,
    [
      tx.workspace,
      derived.map(own => own.id),
      derived.map(own => own.name),
      derived.map(own => nameLookupKey(own.name)),
      derived.map(own => toIsoOrNull(own.first)),
      derived.map(own => toIsoOrNull(own.last)),
      derived.map(own => toIsoOrNull(own.lastInbound)),
    ],
  );
  writeNameWords(tx, derived);
}

/** Returns SQL that joins the addresses of a cluster with the companies of their domains. */
const employersSql = (members: string) => `
  identifiers mail
  CROSS JOIN LATERAL (
    SELECT array_to_string(labels[n:], '.') AS key FROM string_to_array(split_part(mail.value, '@', 2), '.') AS labels,
      generate_series(1, array_length(labels, 1)) AS n OFFSET 0) AS suffix
  JOIN LATERAL (
    SELECT d.entity_id FROM identifiers d WHERE d.workspace_id = $1 AND d.kind = 'domain' AND d.key = suffix.key OFFSET 0
  ) AS domain ON true
  JOIN entities company ON company.workspace_id = $1 AND company.id = domain.entity_id
  WHERE mail.workspace_id = $1 AND mail.kind = 'email' AND mail.entity_id = ANY (${members})`;

/** Returns SQL for the company with the domain of a cluster's oldest work address, if it exists. */
const employerSql = (members: string) => `
  SELECT coalesce(company.canonical_id, company.id) FROM ${employersSql(members)}
  ORDER BY mail.first_seen, mail.key LIMIT 1`;

/**
 * Returns the ids of the companies that these people belong to or have an address of.
 * @param addresses keys of the addresses that count. Default: all, and the companies that the people belong to.
 */
export async function findEmployers(
  tx: Tx,
  people: readonly string[],
  addresses: readonly string[] | null = null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT coalesce(company.canonical_id, company.id) AS id FROM ${employersSql('$2::uuid[]')}
       AND ($3::text[] IS NULL OR mail.key = ANY ($3))
     UNION
     SELECT coalesce(company.canonical_id, company.id) FROM entities person
     JOIN entities company ON company.workspace_id = $1 AND company.id = person.company_id
     WHERE person.workspace_id = $1 AND person.id = ANY ($2::uuid[]) AND $3::text[] IS NULL`,
    [tx.workspace, people, addresses],
  );
  return rows.map(({ id }) => id);
}

const PERSON_MEMBERS_SQL = `ARRAY(
  SELECT person.id UNION ALL
  SELECT merged.id FROM entities merged WHERE merged.workspace_id = $1 AND merged.canonical_id = person.id)`;

/** Clears the companies that people have only by an address of others, after a merge with them was undone. */
async function clearForeignCompanies(tx: Tx, people: readonly string[], others: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE entities SET company_id = NULL
     WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
       AND company_id IN (SELECT coalesce(company.canonical_id, company.id) FROM ${employersSql('$3::uuid[]')})
       AND company_id NOT IN (SELECT coalesce(company.canonical_id, company.id) FROM ${employersSql('$2::uuid[]')})`,
    [tx.workspace, people, others],
  );
}

/**
 * Recomputes the companies of people after a merge or unmerge. A person in these clusters gets the company of their
 * addresses, else that of a member that has one; a company that came from a former member is dropped. People who work
 * for a company in these clusters move to the cluster that now has its domain.
 */
export async function recomputeCompanies(tx: Tx, clusters: readonly Cluster[]): Promise<void> {
  for (const members of clusters) {
    const others = clusters.flatMap(other => (other === members ? [] : other));
    if (others.length > 0) await clearForeignCompanies(tx, members, others);
    await tx.query(
      `UPDATE entities person SET company_id = coalesce((${employerSql('$2::uuid[]')}), CASE WHEN NOT EXISTS (
           SELECT 1 FROM entities former
           WHERE former.workspace_id = $1 AND former.id = ANY ($4) AND former.company_id = person.company_id
         ) THEN person.company_id END, (
         SELECT other.company_id FROM entities other
         WHERE other.workspace_id = $1 AND other.id = ANY ($2) AND other.id <> $3 AND other.company_id IS NOT NULL
         ORDER BY other.created_at, other.id LIMIT 1))
       WHERE person.workspace_id = $1 AND person.id = $3 AND person.type = 'person'`,
      [tx.workspace, members, members[0], members === clusters[0] ? clusters.slice(1).flat() : []],
    );
  }
  await tx.query(
    `UPDATE entities person SET company_id = coalesce((${employerSql(PERSON_MEMBERS_SQL)}), company.canonical_id, company.id)
     FROM entities company
     WHERE person.workspace_id = $1 AND person.company_id = ANY ($2)
       AND company.workspace_id = $1 AND company.id = person.company_id`,
    [tx.workspace, clusters.flat()],
  );
}
