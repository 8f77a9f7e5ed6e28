import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { Aggregate, Grouping } from '#domain/query/query.js';
import { SqlParams, bindWorkspace } from '../lists/sql-params.js';
import { EVENT_TIME, type QueryPageKey, type Corpus, corpusRowsSql } from './corpus-sql.js';

/** An observation with its entity. */
export interface LogRow {
  readonly id: string;
  /** Canonical ID. */
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly happens_at: Instant;
}

/** An entity with its number of matching observations and the newest of them. */
export interface QueryEntityRow {
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly matches: number;
  readonly id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly happens_at: Instant;
}

/** Maximum number of observations that are counted and grouped; the first ones in the order of the query. */
export const MAX_CORPUS = 2000;

/** Maximum number of property names that are looked up per prefix. */
const MAX_NAMES = 2000;

/** Joins the canonical IDs of merged entities, which are few. */
const CANONICAL_JOIN = `LEFT JOIN (SELECT id, canonical_id FROM entities WHERE workspace_id = $1 AND canonical_id IS NOT NULL)
  AS merged ON merged.id = found.entity_id`;
const CANONICAL_ID = 'CASE WHEN merged.canonical_id IS NULL THEN found.entity_id ELSE merged.canonical_id END';

const LEAN_COLUMNS = 'o.id, o.entity_id, o.kind, o.property, o.source, o.happens_at';
const ALL_COLUMNS = `${LEAN_COLUMNS}, o.value`;

const nextNameSql = (than: string, sign: string) => `
    (SELECT o.property FROM observation_log o
     WHERE o.workspace_id = $1 AND o.${EVENT_TIME} AND o.property COLLATE "C" ${sign} ${than} COLLATE "C"
       AND o.property COLLATE "C" < (requested.prefix || U&'\\+10FFFF') COLLATE "C"
     ORDER BY o.property COLLATE "C" LIMIT 1)`;

const READ_NAMES = prepare(
  `SELECT DISTINCT names.property FROM unnest($2::text[]) AS requested (prefix) CROSS JOIN LATERAL (
       WITH RECURSIVE name AS (
         SELECT ${nextNameSql('requested.prefix', '>=')} AS property
         UNION ALL
         SELECT ${nextNameSql('name.property', '>')} FROM name WHERE name.property IS NOT NULL
       ) SELECT property FROM name WHERE property IS NOT NULL LIMIT ${MAX_NAMES}
     ) AS names`,
);

/**
 * Reads the property names of the workspace's log that start with one of these prefixes, in byte order. Skips through the
 * index from name to name, so the cost depends on the number of names, not on the length of the log.
 */
export async function readPropertyNames(tx: Tx, prefixes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ property: string }>(READ_NAMES, [tx.workspace, prefixes]);
  return rows.map(({ property }) => property).toSorted();
}

/** Reads a page of observations in the order of the query. */
export function readLogRows(tx: Tx, corpus: Corpus, limit: number, after?: QueryPageKey): Promise<LogRow[]> {
  if (corpus.scope.properties.length === 0) return Promise.resolve([]);
  const params = bindWorkspace(tx);
  const sql = corpusRowsSql(corpus, ALL_COLUMNS, limit, params, after);
  const order = corpus.query.newestFirst ? 'DESC' : 'ASC';
  return tx.query<LogRow>(
    corpus.statements.get(`SELECT found.id, found.kind, found.property, found.value, found.source, found.happens_at,
            ${CANONICAL_ID} AS entity_id, e.name AS entity_name
     FROM (${sql}) AS found ${CANONICAL_JOIN}
     JOIN entities e ON e.workspace_id = $1 AND e.id = ${CANONICAL_ID}
     ORDER BY found.happens_at ${order}, found.id ${order}`),
    params.values,
  );
}

/** Reads a page of entities of the corpus with match count and newest observation, newest first. */
export function readQueryEntities(
  tx: Tx,
  corpus: Corpus,
  limit: number,
  after?: QueryPageKey,
): Promise<QueryEntityRow[]> {
  if (corpus.scope.properties.length === 0) return Promise.resolve([]);
  const params = bindWorkspace(tx);
  const corpusSql = withCorpusSql(corpus, params);
  const pageCondition = after
    ? `WHERE (happens_at, entity_id) < (${params.add(toIso(after.at), 'timestamptz')}, ${params.add(after.id, 'uuid')})`
    : '';
  return tx.query<QueryEntityRow>(
    `${corpusSql}, newest AS (
       SELECT DISTINCT ON (entity_id) entity_id, id, property, source, happens_at,
              count(*) OVER (PARTITION BY entity_id)::int AS matches
       FROM corpus ORDER BY entity_id, happens_at DESC, id DESC
     ), page AS (
       SELECT * FROM newest ${pageCondition} ORDER BY happens_at DESC, entity_id DESC LIMIT ${params.add(limit, 'int')}
     )
     SELECT page.*, e.name AS entity_name, o.value FROM page
     JOIN entities e ON e.workspace_id = $1 AND e.id = page.entity_id
     JOIN observation_log o ON o.workspace_id = $1 AND o.id = page.id
     ORDER BY page.happens_at DESC, page.entity_id DESC`,
    params.values,
  );
}

/** Returns SQL `WITH corpus AS …` that selects at most {@link MAX_CORPUS} observations with their canonical entities. */
export function withCorpusSql(corpus: Corpus, params: SqlParams, withValues = false): string {
  const sql = corpusRowsSql(corpus, withValues ? ALL_COLUMNS : LEAN_COLUMNS, MAX_CORPUS, params);
  return `WITH corpus AS MATERIALIZED (
    SELECT found.id, found.kind, found.property, found.source, found.happens_at,
           ${CANONICAL_ID} AS entity_id ${withValues ? ', found.value' : ''}
    FROM (${sql}) AS found ${CANONICAL_JOIN})`;
}

/** Counts of a corpus. */
export interface Rollups {
  readonly observations: number;
  readonly entities: number;
  /** Whether the limit was reached, so there may be more. */
  readonly sampled: boolean;
  readonly by_type: Readonly<Record<string, number>>;
  readonly by_source: Readonly<Record<string, number>>;
  /** For states only: number of entities by their newest value. */
  readonly by_value?: Readonly<Record<string, number>>;
}

/** A group with its aggregates. */
export type ResultGroup = Readonly<Record<string, unknown>> & { readonly key: Readonly<Record<string, JsonValue>> };

const MAX_VALUES = 20;
const MAX_GROUPS = 500;
const NUMBER_PATTERN = '^-?[0-9]{1,15}([.][0-9]{1,15})?$';

/** The caller's names by canonical property. */
type RequestedNames = ReadonlyMap<string, string>;

/** Counts the observations of a corpus. One statement, and another for the values of states. */
export async function readRollups(tx: Tx, corpus: Corpus, requestedNames: RequestedNames): Promise<Rollups> {
  if (corpus.scope.properties.length === 0)
    return { observations: 0, entities: 0, sampled: false, by_type: {}, by_source: {} };
  const params = bindWorkspace(tx);
  const [rows, values] = await Promise.all([
    tx.query<{ property: string | null; source: string | null; count: number; entities: number | null }>(
      corpus.statements.get(`${withCorpusSql(corpus, params)}
       SELECT NULL AS property, NULL AS source, count(*)::int AS count, count(DISTINCT entity_id)::int AS entities
       FROM corpus
       UNION ALL SELECT property, NULL, count(*)::int, NULL FROM corpus GROUP BY property
       UNION ALL SELECT NULL, source, count(*)::int, NULL FROM corpus GROUP BY source
       ORDER BY count DESC, property, source`),
      params.values,
    ),
    corpus.query.scope.kind === 'state' ? readValues(tx, corpus) : undefined,
  ]);
  const total = rows.find(({ entities }) => entities !== null);
  return {
    observations: total?.count ?? 0,
    entities: total?.entities ?? 0,
    sampled: total?.count === MAX_CORPUS,
    by_type: Object.fromEntries(
      rows.flatMap(({ property, count }) =>
        property === null ? [] : [[requestedNames.get(property) ?? property, count]],
      ),
    ),
    by_source: Object.fromEntries(rows.flatMap(row => (row.source === null ? [] : [[row.source, row.count]]))),
    ...(values && { by_value: values }),
  };
}

async function readValues(tx: Tx, corpus: Corpus): Promise<Record<string, number>> {
  const params = bindWorkspace(tx);
  const rows = await tx.query<{ value: string; count: number }>(
    `${withCorpusSql(corpus, params, true)}
     SELECT left(coalesce(value #>> '{}', 'null'), 100) AS value, count(*)::int AS count
     FROM (SELECT DISTINCT ON (entity_id) value FROM corpus ORDER BY entity_id, happens_at DESC, id DESC) AS newest
     GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${MAX_VALUES}`,
    params.values,
  );
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]));
}

const GROUP_KEY_SQL: Readonly<Record<Grouping, string>> = {
  property: 'corpus.property',
  source: 'corpus.source',
  kind: 'corpus.kind',
  entity: 'corpus.entity_id::text',
  company: `(SELECT e.company_id::text FROM entities e WHERE e.workspace_id = $1 AND e.id = corpus.entity_id)`,
  day: `to_char(corpus.happens_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  week: `to_char(corpus.happens_at AT TIME ZONE 'UTC', 'IYYY-"W"IW')`,
  month: `to_char(corpus.happens_at AT TIME ZONE 'UTC', 'YYYY-MM')`,
  value: `left(coalesce(corpus.value #>> '{}', 'null'), 100)`,
};

/** Groups a corpus and computes aggregates, largest group first. Without a grouping, the corpus is one group. One statement. */
export async function readGroups(tx: Tx, corpus: Corpus, requestedNames: RequestedNames): Promise<ResultGroup[]> {
  const { groupBy, aggregate } = corpus.query;
  if (corpus.scope.properties.length === 0) return [];
  const params = bindWorkspace(tx);
  const corpusSql = withCorpusSql(corpus, params, true);
  const aggregates = aggregate.length > 0 ? aggregate : [{ op: 'count', field: undefined } as const];
  const columns = [
    ...groupBy.map((name, i) => `${GROUP_KEY_SQL[name]} AS k${i}`),
    ...aggregates.map((each, i) => `${aggregateSql(each, params)} AS a${i}`),
  ];
  const grouping = groupBy.map((_, i) => `k${i}`);
  const rows = await tx.query<Record<string, JsonValue>>(
    `${corpusSql} SELECT ${columns.join(', ')} FROM corpus
     ${grouping.length > 0 ? `GROUP BY ${grouping.join(', ')}` : ''}
     ORDER BY count(*) DESC ${grouping.map(key => `, ${key}`).join('')} LIMIT ${MAX_GROUPS}`,
    params.values,
  );
  return rows.map(row => ({
    key: Object.fromEntries(groupBy.map((name, i) => [name, presentKey(name, row[`k${i}`] ?? null, requestedNames)])),
    ...Object.fromEntries(aggregates.map((each, i) => [aggregateName(each), row[`a${i}`] ?? null])),
  }));
}

function presentKey(grouping: Grouping, key: JsonValue, requestedNames: RequestedNames): JsonValue {
  return grouping === 'property' ? (requestedNames.get(String(key)) ?? key) : key;
}

/** Returns the field name of an aggregate in the response, such as `count` or `sum_amount`. */
function aggregateName({ op, field }: Aggregate): string {
  return field === undefined ? op : `${op}_${field}`;
}

function aggregateSql({ op, field }: Aggregate, params: SqlParams): string {
  if (op === 'distinct_entities') return 'count(DISTINCT corpus.entity_id)::int';
  if (op === 'count' && field === undefined) return 'count(*)::int';
  const path = params.add(field === undefined ? [] : field.split('.'), 'text[]');
  const text = `(corpus.value #>> ${path})`;
  if (op === 'count') return `count(${text})::int`;
  if (op === 'first' || op === 'last') {
    const order = `corpus.happens_at ${op === 'first' ? 'ASC' : 'DESC'}, corpus.id`;
    return `(array_agg(corpus.value #> ${path} ORDER BY ${order}))[1]`;
  }
  return `${op}(CASE WHEN ${text} ~ '${NUMBER_PATTERN}' THEN ${text}::numeric END)::float8`;
}
