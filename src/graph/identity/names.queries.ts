import type { NamedEntity } from '#domain/identity/match-name.js';
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

/** Returns the entities whose name has this key, most recently active first. */
export function findNamesakes(tx: Tx, key: string): Promise<NamesakeRow[]> {
  const identifier = (kind: string) =>
    `(SELECT value FROM identifiers i
      WHERE i.workspace_id = $1 AND i.kind = '${kind}' AND i.entity_id IN (
        SELECT e.id UNION ALL
        SELECT merged.id FROM entities merged WHERE merged.workspace_id = $1 AND merged.canonical_id = e.id) ORDER BY first_seen, key LIMIT 1)`;
  const claim = (property: string) =>
    `(SELECT state FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = e.id AND c.property = '${property}')`;
  return tx.query<NamesakeRow>(
    `SELECT e.id AS entity_id, e.type, e.name, e.last_activity_at,
            ${identifier('email')} AS email, ${identifier('linkedin')} AS linkedin_url,
            coalesce(${identifier('domain')},
              (SELECT key FROM identifiers d
               WHERE d.workspace_id = $1 AND d.entity_id = e.company_id AND d.kind = 'domain' LIMIT 1)) AS domain,
            ${claim('title')} AS title, ${claim('company')} AS company
     FROM (${byNameSql(PERSON_SQL)} UNION ALL ${byNameSql(COMPANY_SQL)}) AS e
     ORDER BY e.last_activity_at DESC NULLS LAST, e.id LIMIT ${MAX_NAMESAKES}`,
    [tx.workspace, key],
  );
}

/** A name similar to one that was not found. */
export type NameSuggestion = Pick<NamedEntity, 'entity_id' | 'type' | 'name'>;

/** Returns at most five names with a trigram similarity to `key` of at least 0.45, most similar first. */
export function findSimilarNames(tx: Tx, key: string): Promise<NameSuggestion[]> {
  return tx.query<NameSuggestion>(
    `SELECT id AS entity_id, type, name FROM entities
     WHERE workspace_id = $1 AND name_key IS NOT NULL AND canonical_id IS NULL AND similarity(name_key, $2) >= 0.45
     ORDER BY similarity(name_key, $2) DESC, id LIMIT 5`,
    [tx.workspace, key],
  );
}
