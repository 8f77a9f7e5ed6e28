import type { EntityType, Identifier } from '#domain/identity/focus.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { prepare } from '#kernel/db/prepared-query.js';
import { notRemovedSql, type IdentifierKey, identifierKey, type Owner } from './identifiers.queries.js';

/** An entity with a given name, and what distinguishes it from others of that name. */
export interface NamesakeRow {
  readonly entity_id: string;
  readonly type: EntityType;
  readonly name: string;
  readonly domain: string | null;
  readonly email: string | null;
  readonly linkedin_url: string | null;
  readonly last_activity_at: Instant | null;
  /** Stored states of these claims. */
  readonly title: string | null;
  readonly company: string | null;
}

/** Limits the work for common names; the response lists ten. */
const MAX_NAMESAKES = 500;

/**
 * Conditions of the two partial indexes on names. For companies it is written as in the index: with `type = 'company'`
 * the planner could choose the index of companies by activity and read all of them.
 */
const PERSON_SQL = "type = 'person'";
const COMPANY_SQL = "type <> 'person'";

/** Returns SQL for the entities with the name key `$2` that satisfy a condition on their type. */
const byNameSql = (typeCondition: string) => `
  SELECT id, type, name, company_id, last_activity_at FROM entities
  WHERE workspace_id = $1 AND ${typeCondition} AND canonical_id IS NULL AND name_key = $2`;

/** Returns SQL for what distinguishes the entities `e` of a subquery from others of their name. `$1` is the workspace. */
const describedSql = (entities: string) => {
  const identifier = (kind: string) =>
    `(SELECT value FROM identifiers i
      WHERE i.workspace_id = $1 AND i.kind = '${kind}' AND i.entity_id IN (
        SELECT e.id UNION ALL
        SELECT merged.id FROM entities merged WHERE merged.workspace_id = $1 AND merged.canonical_id = e.id) ORDER BY first_seen, key LIMIT 1)`;
  const claim = (property: string) =>
    `(SELECT state FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = e.id AND c.property = '${property}')`;
  return `SELECT e.id AS entity_id, e.type, e.name, e.last_activity_at,
            ${identifier('email')} AS email, ${identifier('linkedin')} AS linkedin_url,
            coalesce(${identifier('domain')},
              (SELECT key FROM identifiers d
               WHERE d.workspace_id = $1 AND d.entity_id = e.company_id AND d.kind = 'domain' LIMIT 1)) AS domain,
            ${claim('title')} AS title, ${claim('company')} AS company
     FROM (${entities}) AS e
     ORDER BY e.last_activity_at DESC NULLS LAST, e.id`;
};

/** Returns the entities whose name has this key, most recently active first. */
export function findNamesakes(tx: Tx, key: string): Promise<NamesakeRow[]> {
  return tx.query<NamesakeRow>(
    `${describedSql(`${byNameSql(PERSON_SQL)} UNION ALL ${byNameSql(COMPANY_SQL)}`)} LIMIT ${MAX_NAMESAKES}`,
    [tx.workspace, key],
  );
}

/** Returns these entities, which may have no name, most recently active first. */
export function describeEntities(
  tx: Tx,
  ids: readonly string[],
): Promise<(Omit<NamesakeRow, 'name'> & { readonly name: string | null })[]> {
  return tx.query(
    describedSql(`SELECT id, type, name, company_id, last_activity_at FROM entities
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`),
    [tx.workspace, ids],
  );
}

/** The owner of an identifier with the name of its cluster. */
export interface NamedOwner extends Owner {
  readonly type: EntityType;
  readonly name: string | null;
}

interface NamedOwnerRow {
  readonly kind: string;
  readonly key: string;
  readonly id: string;
  readonly canonical_id: string | null;
  readonly type: EntityType;
  readonly name: string | null;
}

/** SQL of the name of the cluster of the entity `e`. */
export const clusterNameSql = `CASE WHEN e.canonical_id IS NULL THEN e.name ELSE (
  SELECT c.name FROM entities c WHERE c.workspace_id = $1 AND c.id = e.canonical_id) END`;

const FIND_NAMED_OWNERS = prepare(
  `SELECT kind, key, identifier.entity_id AS id, owner.canonical_id, owner.type, owner.name
   FROM unnest($2::text[], $3::text[]) AS requested (kind, key)
   JOIN LATERAL (
     SELECT entity_id FROM identifiers i
     WHERE i.workspace_id = $1 AND i.kind = requested.kind AND i.key = requested.key OFFSET 0
   ) identifier ON true
   JOIN LATERAL (
     SELECT e.canonical_id, e.type, ${clusterNameSql} AS name FROM entities e
     WHERE e.workspace_id = $1 AND e.id = identifier.entity_id AND ${notRemovedSql('e')} OFFSET 0
   ) owner ON true
   UNION ALL
   SELECT 'uuid', e.id::text, e.id, e.canonical_id, e.type, ${clusterNameSql} FROM entities e
   WHERE e.workspace_id = $1 AND e.id = ANY ($4::uuid[]) AND ${notRemovedSql('e')}`,
);

/** Returns the owners of identifiers and entity ids with their names, by key. Those without one are missing. */
export async function findNamedOwners(
  tx: Tx,
  identifiers: readonly Identifier[],
  ids: readonly string[],
): Promise<Map<IdentifierKey, NamedOwner>> {
  const values = [tx.workspace, identifiers.map(i => i.kind), identifiers.map(i => i.key), ids];
  const rows = await tx.query<NamedOwnerRow>(FIND_NAMED_OWNERS, values);
  return new Map(
    rows.map(({ kind, key, id, canonical_id, type, name }) => [
      `${kind} ${key}`,
      { id, canonicalId: canonical_id ?? id, type, name },
    ]),
  );
}

/** Returns the names of clusters by canonical id, of those that have one. */
export async function readNames(tx: Tx, canonicalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; name: string }>(
    'SELECT id, name FROM entities WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND name IS NOT NULL',
    [tx.workspace, canonicalIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A person who shares an identifier that another entity owns. */
export interface SharingPerson extends Owner {
  readonly identifier: IdentifierKey;
  readonly name: string;
}

/** Returns the people for whom these identifiers of others were stated, the oldest first. */
export async function findSharingPeople(tx: Tx, identifiers: readonly Identifier[]): Promise<SharingPerson[]> {
  const rows = await tx.query<{ kind: string; key: string; id: string; canonical_id: string | null; name: string }>(
    `SELECT p.kind, p.key, e.id, e.canonical_id, e.name
     FROM unnest($2::text[], $3::text[]) AS requested (kind, key)
     JOIN merge_proposals p ON p.workspace_id = $1 AND p.kind = requested.kind AND p.key = requested.key
     JOIN LATERAL (
       SELECT e.id, e.canonical_id, ${clusterNameSql} AS name FROM entities e
       WHERE e.workspace_id = $1 AND e.id = p.entity_id AND e.type = 'person' AND ${notRemovedSql('e')} OFFSET 0) e ON true
     WHERE e.name IS NOT NULL ORDER BY p.created_at, e.id`,
    [tx.workspace, identifiers.map(i => i.kind), identifiers.map(i => i.key)],
  );
  return rows.map(({ kind, key, id, canonical_id, name }) => ({
    identifier: identifierKey({ kind: kind as Identifier['kind'], key }),
    id,
    canonicalId: canonical_id ?? id,
    name,
  }));
}

/** Creates a person without an identifier of their own, at the company of another entity. */
export async function createPersonBeside(tx: Tx, id: string, other: Owner): Promise<void> {
  tx.countUsage('people', 1);
  await tx.query(
    `INSERT INTO entities (workspace_id, id, type, company_id)
     SELECT $1, $2, 'person', CASE WHEN e.type = 'company' THEN e.id ELSE e.company_id END
     FROM entities e WHERE e.workspace_id = $1 AND e.id = $3`,
    [tx.workspace, id, other.canonicalId],
  );
}
