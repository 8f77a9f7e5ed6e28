import type { Filter, FieldCatalogue, SortKey } from '#domain/filters/filter.js';
import type { Tx } from '#kernel/db/transaction.js';
import { INDEXED_PREFIX_LENGTH, filterSql } from './filter-sql.js';
import { SqlParams, bindWorkspace } from './sql-params.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import type { Instant } from '#domain/time/instant.js';
import { withStatementTimeout } from '#kernel/db/with-statement-timeout.js';
import { type PastTables, pastTablesSql } from './past-tables.js';
import { orderSql, type SqlSort, sortSql, afterNull, afterValue, type PageKey, type SortValue } from './sort-sql.js';

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

/** SQL and type of a list column. */
export interface ListColumn {
  readonly sql: string;
  readonly type: 'text' | 'timestamptz' | 'float8' | 'int4' | 'bool' | 'uuid';
}

/**
 * The FROM clause and columns of rows that can be listed. All SQL is fixed; callers only select from it. `$1` is the
 * workspace.
 */
export interface ListSource {
  readonly catalogue: FieldCatalogue;
  /** The clause after FROM. */
  readonly from: string;
  /** Condition that every row of the list satisfies. */
  readonly where: string;
  /** SQL for the id of a row, and for the entity that its claims are about. */
  readonly id: string;
  readonly entity: string;
  /** Returns SQL for rows whose claim `c` satisfies a condition. Never null. */
  readonly claimCondition: (condition: string) => string;
  /** Returns SQL for rows about entities whose canonical ids a subquery selects. Never null. */
  readonly entityCondition: (ids: string) => string;
  /** SQL for the company of that entity. */
  readonly company: string;
  readonly columns: Readonly<Record<string, ListColumn>>;
  /** Rules for the freshness of claims. Default: the default rules. */
  readonly rules?: ClaimRules;
  /** Sort expressions of columns that are not sorted by their own SQL. */
  readonly sorts?: Readonly<Record<string, ListColumn>>;
  /** Limits the list to candidates, and reads them as of a past time. Default: all rows, as of now. */
  readonly past?: PastTables | undefined;
}

/** Selects and orders rows. */
export interface RowSelection {
  readonly filter: Filter;
  readonly sort: readonly SortKey[];
  readonly now: Instant;
}

/** A selection limited to the rows about these entities. */
interface NarrowedSelection extends RowSelection {
  readonly entityIds?: readonly string[] | undefined;
}

/** The part of the selection to return. */
export interface PageWindow {
  readonly after?: PageKey;
  readonly offset: number;
  readonly limit: number;
  /** Time limit for scanning a list for a text that may be rare, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Enough to scan tens of thousands of rows; a page of matches that one row in a hundred has takes five thousand. */
const TEXT_SCAN_TIMEOUT_MS = 500;

/** Rows with a first sort value, and those without one, which come after them. */
type KeyPart = 'valued' | 'empty';

/**
 * Returns the ids and sort values of a window of rows, in order. A page after a cursor costs the same at any depth,
 * because an index leads to it. One statement, and a second one where the rows without a sort value begin. If a
 * searched text turns out to be rare, first reads the entities that have it and lists their rows.
 */
export async function readPageKeys(
  tx: Tx,
  source: ListSource,
  selection: RowSelection,
  window: PageWindow,
): Promise<PageKey[]> {
  const texts = source.past ? undefined : findTextConditions(selection.filter);
  if (!texts) return readOrdered(tx, source, selection, window);
  const scanned = await withStatementTimeout(tx, window.timeoutMs ?? TEXT_SCAN_TIMEOUT_MS, () =>
    readOrdered(tx, source, selection, window),
  );
  if (scanned) return scanned;
  const entityIds = await readTextMatches(tx, texts);
  if (!entityIds) await preferIndexOrder(tx);
  return readOrdered(tx, source, { ...selection, entityIds }, window);
}

async function readOrdered(
  tx: Tx,
  source: ListSource,
  selection: NarrowedSelection,
  window: PageWindow,
): Promise<PageKey[]> {
  const { after, limit, offset } = window;
  if (after && after.values[0] === null) return readPart(tx, source, selection, 'empty', window);
  const valued = await readPart(tx, source, selection, 'valued', window);
  if (valued.length === limit) return valued;
  const skipped = offset === 0 || valued.length > 0 ? offset : await countValued(tx, source, selection, offset);
  const rest = { offset: offset - skipped, limit: limit - valued.length };
  return [...valued, ...(await readPart(tx, source, selection, 'empty', rest))];
}

/**
 * Makes the rest of the transaction read tables by indexes only. All indexes begin with the workspace, so a filter that
 * no index supports (a substring, a negation) costs at most the rows of the workspace, never those of all.
 */
export async function readIndexOnly(tx: Tx): Promise<void> {
  await tx.query("SELECT set_config('enable_seqscan', 'off', true)");
}

/**
 * Disables sorting: if many rows match a text, the first rows of the order suffice, but the planner may expect few
 * matches and sort all of them.
 */
async function preferIndexOrder(tx: Tx): Promise<void> {
  await tx.query("SELECT set_config('enable_sort', 'off', true)");
}

/**
 * Counts the rows that match a filter.
 * @param limit number of rows after which counting ends; without it, all are read
 */
export async function countRows(
  tx: Tx,
  source: ListSource,
  { filter, now }: RowSelection,
  limit?: number,
): Promise<number> {
  const params = bindWorkspace(tx);
  const rows = `FROM ${source.from}
    WHERE ${candidatesSql(source, params)} AND ${filterSql(source, filter, now, params)}`;
  const counted = limit === undefined ? rows : `FROM (SELECT ${rows} LIMIT ${params.add(limit, 'int')}) AS counted`;
  const sql = `${withPast(source, params)} SELECT count(*)::int AS count ${counted}`;
  const [row] = await tx.query<{ count: number }>(sql, params.values);
  return row!.count;
}

async function readPart(tx: Tx, source: ListSource, selection: NarrowedSelection, part: KeyPart, window: PageWindow) {
  const params = bindWorkspace(tx);
  const sort = sortSql(source, selection.sort, params);
  const id = rowIdSql(source, sort, part);
  const rows = await tx.query<Record<string, SortValue>>(
    `${withPast(source, params)} SELECT ${id} AS id, ${sort.keys.map((key, i) => `${key.sql} AS k${i}`).join(', ')}
     FROM ${source.from} ${sort.joins}
     WHERE ${conditionsSql(source, selection, sort, part, id, window, params)}
     ORDER BY ${part === 'empty' && sort.keys[0]!.claim ? restOrderSql(sort, id) : orderSql(sort.keys, id)}
     LIMIT ${params.add(window.limit, 'int')} OFFSET ${params.add(window.offset, 'int')}`,
    params.values,
  );
  return rows.map(row => toPageKey(row, sort.keys.length));
}

function conditionsSql(
  source: ListSource,
  { filter, now, entityIds }: NarrowedSelection,
  { keys }: SqlSort,
  part: KeyPart,
  id: string,
  { after }: PageWindow,
  params: SqlParams,
): string {
  const [first] = keys;
  const all = [candidatesSql(source, params), `${first!.sql} IS ${part === 'valued' ? 'NOT NULL' : 'NULL'}`];
  if (after) all.push((part === 'valued' ? afterValue : afterNull)(keys, id, after, params));
  if (entityIds) all.push(source.entityCondition(`SELECT id FROM unnest(${params.add(entityIds, 'uuid[]')}) AS id`));
  all.push(filterSql(source, filter, now, params));
  return all.join(' AND ');
}

function withPast({ past }: ListSource, params: SqlParams): string {
  return past ? pastTablesSql(past, params) : '';
}

function candidatesSql({ where, past, entityCondition }: ListSource, params: SqlParams): string {
  if (!past) return where;
  const ids = params.add(
    past.entities.map(({ id }) => id),
    'uuid[]',
  );
  return `${where} AND ${entityCondition(`SELECT id FROM unnest(${ids}) AS id`)}`;
}

/**
 * Returns the entities of at most `limit` rows that match a filter, each once and in no order.
 */
export async function readMatchingEntities(
  tx: Tx,
  source: ListSource,
  { filter, now }: RowSelection,
  limit: number,
): Promise<string[]> {
  const params = bindWorkspace(tx);
  const rows = await tx.query<{ id: string }>(
    `${withPast(source, params)} SELECT DISTINCT ${source.entity} AS id FROM ${source.from}
     WHERE ${candidatesSql(source, params)} AND ${source.entity} IS NOT NULL AND ${filterSql(source, filter, now, params)}
     LIMIT ${params.add(limit, 'int')}`,
    params.values,
  );
  return rows.map(({ id }) => id);
}

/** When sorted by a claim, rows come from the index of the claim, which has the entity in a column of its own. */
function rowIdSql(source: ListSource, { keys }: SqlSort, part: KeyPart): string {
  const claim = part === 'valued' && source.id === source.entity ? keys[0]!.claim : undefined;
  return claim === undefined ? source.id : `${claim}.entity_id`;
}

function restOrderSql({ keys }: SqlSort, id: string): string {
  const [first, ...rest] = keys;
  const parts = rest.map(({ sql, descending }) => `${sql} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  return [...parts, `${id} ${first!.descending ? 'DESC' : 'ASC'}`].join(', ');
}

/** Counts the skipped rows with a sort value. The offset is bounded, so the cost is too. */
async function countValued(tx: Tx, source: ListSource, selection: NarrowedSelection, offset: number): Promise<number> {
  return (await readPart(tx, source, selection, 'valued', { offset: 0, limit: offset })).length;
}

function toPageKey(row: Record<string, SortValue>, count: number): PageKey {
  return { id: String(row['id']), values: Array.from({ length: count }, (_, i) => row[`k${i}`] ?? null) };
}
