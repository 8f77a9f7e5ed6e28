import type { Aggregate, Grouping } from '#domain/query/query.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { cachedStatement } from '../lists/statement-cache.js';
import type { SqlParams } from '../lists/sql-params.js';
import { MAX_CORPUS, withCorpusSql, bindWorkspace } from './query.queries.js';
import type { Corpus } from './corpus-sql.js';

/** What a corpus holds, counted. */
export interface Rollups {
  readonly observations: number;
  readonly entities: number;
  /** There may be more than was counted. */
  readonly sampled: boolean;
  readonly by_type: Readonly<Record<string, number>>;
  readonly by_source: Readonly<Record<string, number>>;
  /** Of states: each entity once, by its newest value. */
  readonly by_value?: Readonly<Record<string, number>>;
}

/** A group with what is told of it. */
export type ResultGroup = Readonly<Record<string, unknown>> & { readonly key: Readonly<Record<string, JsonValue>> };

const MAX_VALUES = 20;
const MAX_GROUPS = 500;
const NUMBER_PATTERN = '^-?[0-9]{1,15}([.][0-9]{1,15})?$';

/** What canonical properties were called by the caller. */
type RequestedNames = ReadonlyMap<string, string>;

/** Counts a corpus. One statement, and a second one for the values of states. */
export async function readRollups(tx: Tx, stream: Corpus, asked: RequestedNames): Promise<Rollups> {
  if (stream.scope.properties.length === 0)
    return { observations: 0, entities: 0, sampled: false, by_type: {}, by_source: {} };
  const params = bindWorkspace(tx);
  const [rows, values] = await Promise.all([
    tx.query<{ property: string | null; source: string | null; count: number; entities: number | null }>(
      cachedStatement(`${withCorpusSql(stream, params)}
       SELECT NULL AS property, NULL AS source, count(*)::int AS count, count(DISTINCT entity_id)::int AS entities
       FROM corpus
       UNION ALL SELECT property, NULL, count(*)::int, NULL FROM corpus GROUP BY property
       UNION ALL SELECT NULL, source, count(*)::int, NULL FROM corpus GROUP BY source
       ORDER BY count DESC, property, source`),
      params.values,
    ),
    stream.query.scope.kind === 'state' ? readValues(tx, stream) : undefined,
  ]);
  const total = rows.find(({ entities }) => entities !== null);
  return {
    observations: total?.count ?? 0,
    entities: total?.entities ?? 0,
    sampled: total?.count === MAX_CORPUS,
    by_type: Object.fromEntries(
      rows.flatMap(({ property, count }) => (property === null ? [] : [[asked.get(property) ?? property, count]])),
    ),
    by_source: Object.fromEntries(rows.flatMap(row => (row.source === null ? [] : [[row.source, row.count]]))),
    ...(values && { by_value: values }),
  };
}

async function readValues(tx: Tx, stream: Corpus): Promise<Record<string, number>> {
  const params = bindWorkspace(tx);
  const rows = await tx.query<{ value: string; count: number }>(
    `${withCorpusSql(stream, params, true)}
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

/** Groups a corpus and aggregates each group, the largest first; without a grouping the corpus is one. One statement. */
export async function readGroups(tx: Tx, stream: Corpus, asked: RequestedNames): Promise<ResultGroup[]> {
  const { groupBy, aggregate } = stream.query;
  if (stream.scope.properties.length === 0) return [];
  const params = bindWorkspace(tx);
  const corpus = withCorpusSql(stream, params, true);
  const wanted = aggregate.length > 0 ? aggregate : [{ op: 'count', field: undefined } as const];
  const columns = [
    ...groupBy.map((name, i) => `${GROUP_KEY_SQL[name]} AS k${i}`),
    ...wanted.map((each, i) => `${aggregateSql(each, params)} AS a${i}`),
  ];
  const grouping = groupBy.map((_, i) => `k${i}`);
  const rows = await tx.query<Record<string, JsonValue>>(
    `${corpus} SELECT ${columns.join(', ')} FROM corpus
     ${grouping.length > 0 ? `GROUP BY ${grouping.join(', ')}` : ''}
     ORDER BY count(*) DESC ${grouping.map(key => `, ${key}`).join('')} LIMIT ${MAX_GROUPS}`,
    params.values,
  );
  return rows.map(row => ({
    key: Object.fromEntries(groupBy.map((name, i) => [name, presentKey(name, row[`k${i}`] ?? null, asked)])),
    ...Object.fromEntries(wanted.map((each, i) => [aggregateName(each), row[`a${i}`] ?? null])),
  }));
}

function presentKey(grouping: Grouping, key: JsonValue, asked: RequestedNames): JsonValue {
  return grouping === 'property' ? (asked.get(String(key)) ?? key) : key;
}

/** What an aggregate is called in an answer: `count`, `sum_amount`. */
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
