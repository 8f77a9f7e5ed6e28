import { buildCatalogue } from '#domain/filters/filter.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import type { Query, ObservationScope } from '#domain/query/query.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { ListSource } from '../lists/page.queries.js';
import { peopleSource } from '../people/people.source.js';
import { filterSql } from '../lists/filter-sql.js';
import { knownAtSql } from '../observations/observations.queries.js';
import type { SqlParams, StatementCache } from '../lists/sql-params.js';

/** Fields that an entity filter can use: those of lists of people, and `type`. */
export const entityCatalogue = {
  columns: new Map([...peopleSource.catalogue.columns, ...buildCatalogue({ text: ['type'] }).columns]),
};

/** List source of all entities, for entity filters. */
export const entitySource: ListSource = {
  ...peopleSource,
  catalogue: entityCatalogue,
  where: 'e.workspace_id = $1 AND e.canonical_id IS NULL',
  columns: { ...peopleSource.columns, type: { sql: 'e.type', type: 'text' } },
};

/** A scope with its properties and entities resolved. */
export interface ResolvedScope {
  readonly scope: ObservationScope;
  /** Canonical property names. */
  readonly properties: readonly string[];
  /** Whether the scope is not restricted to properties. */
  readonly anyProperty: boolean;
  /** IDs of the entities in scope; undefined for all of the workspace. */
  readonly members: readonly string[] | undefined;
}

/** Sort key of the last row of a page. */
export interface QueryPageKey {
  readonly at: Instant;
  readonly id: string;
}

/** Selects the observations of a query. */
export interface Corpus {
  readonly query: Query;
  readonly scope: ResolvedScope;
  readonly without: ResolvedScope | undefined;
  /** Canonical IDs of the entities that matched the entity filter at a past time; undefined: it reads today's claims. */
  readonly pastMatches: readonly string[] | undefined;
  readonly asOf: Instant;
  readonly knownAt: Instant;
  /** Rules for the decay of claims. */
  readonly rules: ClaimRules;
  /** Prepares the composed statements. */
  readonly statements: StatementCache;
}

/** Maximum number of properties that are read as merged index scans; more are read together and sorted. */
const MAX_MERGED_PROPERTIES = 200;

/** Condition of the partial index by property and time. True for every observation; required to use the index. */
export const EVENT_TIME = `happens_at > '-infinity'`;

/** SQL of the canonical ID of a row of `entities`. */
const canonicalSql = (row: string) =>
  `CASE WHEN ${row}.canonical_id IS NULL THEN ${row}.id ELSE ${row}.canonical_id END`;

/**
 * Returns SQL that selects at most `limit` observations of a query, ordered by the time when they take place. The index
 * returns each property in that order and the scans are merged, so no more rows are read than returned. Each scan is
 * ordered and limited itself, because the planner merges only such scans.
 */
export function corpusRowsSql(
  corpus: Corpus,
  columns: string,
  limit: number,
  params: SqlParams,
  after?: QueryPageKey,
): string {
  const { scope, query } = corpus;
  const order = query.newestFirst ? 'DESC' : 'ASC';
  const rest = conditionsSql(corpus, params, after);
  const from = `SELECT ${columns} FROM observation_log o WHERE o.workspace_id = $1 AND o.${EVENT_TIME}`;
  const isSorted = scope.members !== undefined || scope.properties.length > MAX_MERGED_PROPERTIES;
  const names = params.add(scope.properties, 'text[]');
  const inOrder = `ORDER BY happens_at ${order}, id ${order} LIMIT ${Math.trunc(limit)}`;
  const each = scope.properties.map(
    (_, i) => `(${from} AND o.property COLLATE "C" = (${names})[${i + 1}] ${rest} ${inOrder})`,
  );
  const source = isSorted ? `${from} AND o.property = ANY (${names}) ${rest}` : each.join(' UNION ALL ');
  return `SELECT * FROM (${source}) AS stream ${inOrder}`;
}

function conditionsSql(
  { query, scope, without, pastMatches, asOf, knownAt, rules }: Corpus,
  params: SqlParams,
  after?: QueryPageKey,
): string {
  const all = [
    ...scopeSql('o', scope, params),
    `o.observed_at <= ${params.add(toIso(asOf), 'timestamptz')}`,
    knownAtSql('o.', params.add(toIso(knownAt), 'timestamptz')),
    ...observationSql(query, params),
  ];
  if (without) all.push(`NOT EXISTS (${excludedSql(without, asOf, knownAt, params)})`);
  if (query.entityFilter) {
    const passes = pastMatches
      ? `e.id = ANY (${params.add(pastMatches, 'uuid[]')})`
      : filterSql({ ...entitySource, rules }, query.entityFilter, asOf, params);
    all.push(`EXISTS (SELECT FROM entities entity JOIN entities e ON e.workspace_id = $1 AND e.id = ${canonicalSql('entity')}
      WHERE entity.workspace_id = $1 AND entity.id = o.entity_id AND ${passes})`);
  }
  if (after) {
    const side = query.newestFirst ? '<' : '>';
    const place = `(${params.add(toIso(after.at), 'timestamptz')}, ${params.add(after.id, 'uuid')})`;
    all.push(`(o.happens_at, o.id) ${side} ${place}`);
  }
  return all.map(condition => `AND ${condition}`).join(' ');
}

function scopeSql(row: string, { scope, members }: ResolvedScope, params: SqlParams): string[] {
  const { source, from, to } = scope;
  return [
    ...(source === undefined ? [] : [`${row}.source = ${params.add(source, 'text')}`]),
    ...(from === undefined ? [] : [`${row}.happens_at >= ${params.add(toIso(from), 'timestamptz')}`]),
    ...(to === undefined ? [] : [`${row}.happens_at <= ${params.add(toIso(to), 'timestamptz')}`]),
    ...(members === undefined ? [] : [`${row}.entity_id = ANY (${params.add(members, 'uuid[]')})`]),
  ];
}

function observationSql({ observationFilter: filter }: Query, params: SqlParams): string[] {
  if (!filter) return [];
  const { source, value, text } = filter;
  return [
    ...(source ? [`o.source = ANY (${params.add(source, 'text[]')})`] : []),
    ...(value === undefined ? [] : [`o.value = ${params.add(JSON.stringify(value), 'jsonb')}`]),
    ...(text === undefined ? [] : [`strpos(lower(o.value::text), lower(${params.add(text, 'text')})) > 0`]),
  ];
}

/** Selects observations of another scope in the cluster of the entity of `o`. */
function excludedSql(without: ResolvedScope, asOf: Instant, knownAt: Instant, params: SqlParams): string {
  const named = without.anyProperty ? [] : [`w.property = ANY (${params.add(without.properties, 'text[]')})`];
  const conditions = [
    ...named,
    `w.observed_at <= ${params.add(toIso(asOf), 'timestamptz')}`,
    knownAtSql('w.', params.add(toIso(knownAt), 'timestamptz')),
    ...scopeSql('w', without, params),
  ];
  return `SELECT FROM entities entity
    CROSS JOIN LATERAL (SELECT ${canonicalSql('entity')} AS id) AS root
    CROSS JOIN LATERAL (
      SELECT root.id UNION ALL
      SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = root.id) AS member
    JOIN observation_log w ON w.workspace_id = $1 AND w.entity_id = member.id
    WHERE entity.workspace_id = $1 AND entity.id = o.entity_id AND ${conditions.join(' AND ')}`;
}
