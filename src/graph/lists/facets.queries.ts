import { EMPLOYER_PROPERTY, JOB_PROPERTIES } from '#domain/claims/doubt.js';
import { type ClaimRules, defaultRules, ruleOf } from '#domain/claims/rules.js';
import { addDuration, type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { doubtSql } from '../claims/claims.queries.js';
import { type Facet, type FacetCounts, type FacetSource, MAX_FACET_SOURCES, MAX_FACETS } from './facets.dto.js';
import type { FacetsRequest } from './facets-request.js';
import { filterSql, toAge } from './filter-sql.js';
import { unknownProperty } from './list-parameters.js';
import type { ListFields } from './list-request.js';
import { countRows, type ListSource, readIndexOnly, type RowSelection } from './page.queries.js';
import { requireKnownNames } from './row-page.js';
import { bindWorkspace, type SqlParams } from './sql-params.js';

/**
 * Counts the current claims of the rows of a list, by property and by freshness, class and source. Reads the claims of
 * all matching rows.
 * @throws HubError `unknown_query_param` for a property of the filter that was never stated, and `invalid_request` for one
 *   of `properties`
 */
export async function countFacets(
  tx: Tx,
  source: ListSource,
  listFields: ListFields,
  { list, properties, refreshWithin }: FacetsRequest,
): Promise<FacetCounts> {
  await requireKnownNames(tx, listFields, list);
  const unknown = await unknownProperty(tx, new Set(properties));
  if (unknown !== undefined) {
    const message = `No observation of this workspace states "${unknown}".`;
    throw HubError.invalidRequest([{ field: 'properties', message }]);
  }
  const now = await tx.now();
  await readIndexOnly(tx);
  const selection = { filter: list.filter, sort: [], now };
  const total = await countRows(tx, source, selection);
  const rows = await readCounts(tx, source, selection, properties, refreshWithin);
  const byProperty = Map.groupBy(rows, row => row.property);
  return {
    total,
    facets: [...byProperty].map(([property, counts]) => toFacet(property, counts)),
    has_more_properties: (rows[0]?.properties ?? 0) > byProperty.size,
  };
}

/** Number of claims of one property with one freshness, class or source. */
interface CountRow {
  readonly property: string;
  /** Number of properties with claims. */
  readonly properties: number;
  readonly by: 'freshness' | 'class' | 'source';
  readonly name: string;
  readonly claims: number;
  readonly only_source: number;
  readonly refresh_due: number;
  readonly not_fresh: number;
}

/**
 * Reads each claim once: claims that are alike in everything that is counted are grouped first. The present jobs are read
 * once as well, because looking up that of each claim would take most of the time.
 */
async function readCounts(
  tx: Tx,
  source: ListSource,
  { filter, now }: RowSelection,
  properties: readonly string[] | undefined,
  refreshWithin: Instant,
): Promise<CountRow[]> {
  const params = bindWorkspace(tx);
  const matching = `SELECT ${source.entity} AS id FROM ${source.from}
    WHERE ${source.where} AND ${filterSql(source, filter, now, params)}`;
  const [limits, defaults] = freshnessLimitsSql(source.rules ?? defaultRules, now, refreshWithin, params);
  const jobProperties = params.add([...JOB_PROPERTIES], 'text[]');
  const chosen = properties ? `AND c.property = ANY (${params.add(properties, 'text[]')})` : '';
  const counts = `sum(n)::int AS claims, sum(n) FILTER (WHERE jsonb_array_length(sources) = 1)::int AS only_source,
      sum(n) FILTER (WHERE freshness = 'fresh' AND is_due)::int AS refresh_due,
      sum(n) FILTER (WHERE freshness <> 'fresh')::int AS not_fresh`;
  const grouped = (by: CountRow['by'], name: string, from = '') => `
    SELECT property, place, properties, '${by}' AS by, ${name} AS name, ${counts}
    FROM counted JOIN ranked USING (property) ${from} WHERE place <= ${MAX_FACETS}
    GROUP BY property, place, properties, ${name}`;
  return tx.query<CountRow>(
    `WITH job AS MATERIALIZED (
       SELECT entity_id, tenure FROM claims
       WHERE workspace_id = $1 AND property = '${EMPLOYER_PROPERTY}' AND tenure IS NOT NULL
     ),
     graded AS (
       SELECT c.property, c.epistemic_class, c.sources, c.supported_at < age.due AS is_due,
         CASE WHEN c.supported_at < age.suspect THEN 'expired'
              WHEN c.supported_at < age.aging THEN 'suspect'
              WHEN c.property = ANY (${jobProperties}) AND ${doubtSql('c', 'job')} THEN 'suspect'
              WHEN c.supported_at < age.fresh THEN 'aging' ELSE 'fresh' END AS freshness
       FROM (${matching}) AS matching
       JOIN claims c ON c.workspace_id = $1 AND c.entity_id = matching.id AND c.value IS NOT NULL ${chosen}
       LEFT JOIN job ON job.entity_id = c.entity_id
       LEFT JOIN ${limits} ON own.property = c.property
       CROSS JOIN LATERAL (SELECT ${defaults}) AS age
     ),
     counted AS MATERIALIZED (
       SELECT property, epistemic_class, sources, freshness, is_due, count(*) AS n
       FROM graded GROUP BY 1, 2, 3, 4, 5
     ),
     ranked AS (
       SELECT property, row_number() OVER (ORDER BY sum(n) DESC, property) AS place,
         count(*) OVER ()::int AS properties
       FROM counted GROUP BY property
     )
     SELECT property, properties, by, name, claims, coalesce(only_source, 0) AS only_source,
       coalesce(refresh_due, 0) AS refresh_due, coalesce(not_fresh, 0) AS not_fresh
     FROM (${[
       grouped('freshness', 'freshness'),
       grouped('class', 'epistemic_class'),
       grouped('source', 'source.name', 'CROSS JOIN LATERAL jsonb_array_elements_text(sources) AS source (name)'),
     ].join(' UNION ALL ')}) AS facet
     ORDER BY place`,
    params.values,
  );
}

/**
 * Returns SQL of a table `own` with the times of support before which claims of properties with a rule of their own fall
 * to the next grade, or will soon (`due`), and of the columns that complete it for all others.
 */
function freshnessLimitsSql(
  rules: ClaimRules,
  now: Instant,
  refreshWithin: Instant,
  params: SqlParams,
): [table: string, columns: string] {
  const { fresh, aging, suspect } = rules.freshness;
  const limits = {
    fresh: [fresh, now],
    aging: [aging, now],
    suspect: [suspect, now],
    due: [fresh, addDuration(now, refreshWithin)],
  };
  const toLimit = ([share, time]: readonly number[], halfLife: number) =>
    Number.isFinite(halfLife) ? toIso(time! - toAge(share!, halfLife)) : '-infinity';
  const names = Object.keys(rules.properties);
  const own = Object.values(limits).map(limit =>
    params.add(
      names.map(name => toLimit(limit, ruleOf(rules, name).halfLife)),
      'timestamptz[]',
    ),
  );
  const columns = Object.entries(limits).map(([name, limit]) => {
    const usual = params.add(toLimit(limit, rules.unknownProperty.halfLife), 'timestamptz');
    return `coalesce(own.${name}, ${usual}) AS ${name}`;
  });
  const table = `unnest(${params.add(names, 'text[]')}, ${own.join(', ')})
    AS own (property, ${Object.keys(limits).join(', ')})`;
  return [table, columns.join(', ')];
}

function toFacet(property: string, rows: readonly CountRow[]): Facet {
  const by = (kind: CountRow['by']) => rows.filter(row => row.by === kind);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const freshness = by('freshness');
  return {
    property,
    claims: sum(freshness.map(({ claims }) => claims)),
    freshness: toCounts(freshness),
    epistemic_class: toCounts(by('class')),
    refresh_due: sum(freshness.map(({ refresh_due }) => refresh_due)),
    sources: by('source')
      .toSorted((one, other) => other.claims - one.claims || (one.name < other.name ? -1 : 1))
      .slice(0, MAX_FACET_SOURCES)
      .map(({ name, claims, only_source, refresh_due, not_fresh }): FacetSource => ({
        source: name,
        claims,
        only_source,
        refresh_due,
        not_fresh,
      })),
  };
}

function toCounts(rows: readonly CountRow[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ name, claims }) => [name, claims]));
}
