import type { EntityType } from '#domain/identity/focus.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

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
