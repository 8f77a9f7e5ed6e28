import type { Filter } from '#domain/filters/filter.js';
import type { Tx } from '#kernel/db/transaction.js';
import { INDEXED_PREFIX_LENGTH } from './filter-sql.js';
import { SqlParams } from './sql-params.js';

/** Maximum number of matches to return; with more matches, a scan of the list soon fills a page. */
const MAX_MATCHES = 10_000;

/** A condition of a filter that searches for a substring. */
interface TextCondition {
  readonly name: string;
  readonly kind: 'claim' | 'name' | 'email' | 'linkedin' | 'domain';
  readonly text: string;
}

/**
 * Returns the text conditions of which every row of a filter satisfies one; undefined if rows can match without any. If
 * the texts are rare, it is faster to start from them.
 */
export function findTextConditions(filter: Filter): readonly TextCondition[] | undefined {
  if ('all' in filter) return filter.all.map(findTextConditions).find(texts => texts !== undefined);
  if ('any' in filter) {
    const each = filter.any.map(findTextConditions);
    return each.length > 0 && each.every(texts => texts !== undefined) ? each.flat() : undefined;
  }
  if ('not' in filter || filter.test.op !== 'contains') return undefined;
  const { name, kind } = filter.field;
  return isSearchable(kind) ? [{ name, kind, text: filter.test.value }] : undefined;
}

function isSearchable(kind: string): kind is TextCondition['kind'] {
  return ['claim', 'name', 'email', 'linkedin', 'domain'].includes(kind);
}

/**
 * Returns the canonical ids of the entities that have one of these texts; undefined if there are too many. Reads all
 * values of these properties. One statement.
 */
export async function readTextMatches(tx: Tx, texts: readonly TextCondition[]): Promise<string[] | undefined> {
  const params = new SqlParams();
  params.add(tx.workspace, 'uuid');
  const parts = texts.map(text => `(${matchesSql(text, params)})`).join(' UNION ALL ');
  const sql = `SELECT DISTINCT id FROM (SELECT id FROM (${parts}) AS part LIMIT ${MAX_MATCHES + 1}) AS every`;
  const rows = await tx.query<{ id: string }>(sql, params.values);
  return rows.length > MAX_MATCHES ? undefined : rows.map(({ id }) => id);
}

function matchesSql({ kind, name, text }: TextCondition, params: SqlParams): string {
  const containsText = (sql: string) => `strpos(${sql}, ${params.add(text, 'text')}) > 0`;
  if (kind === 'name')
    return `SELECT n.id FROM entities n WHERE n.workspace_id = $1 AND n.canonical_id IS NULL AND ${containsText('n.name_key')}`;
  if (kind === 'claim') return claimMatchesSql(params.add(name, 'text'), containsText);
  return `SELECT coalesce(m.canonical_id, m.id) AS id FROM identifiers i
    JOIN LATERAL (SELECT id, canonical_id FROM entities WHERE workspace_id = $1 AND id = i.entity_id OFFSET 0) m ON true
    WHERE i.workspace_id = $1 AND i.kind = ${params.add(kind, 'text')} AND ${containsText(kind === 'linkedin' ? 'i.key' : 'i.value')}`;
}

/** The index has the prefixes, and most texts are no longer than that: the table is read for longer ones only. */
function claimMatchesSql(property: string, containsText: (sql: string) => string): string {
  const whole = `SELECT FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = indexed.entity_id
    AND c.property = ${property} AND ${containsText('c.text_value')}`;
  return `SELECT indexed.entity_id AS id
    FROM (SELECT entity_id, text_prefix FROM claims WHERE workspace_id = $1 AND property = ${property} AND text_prefix IS NOT NULL) indexed
    WHERE ${containsText('indexed.text_prefix')} OR (char_length(indexed.text_prefix) = ${INDEXED_PREFIX_LENGTH} AND EXISTS (${whole}))`;
}
