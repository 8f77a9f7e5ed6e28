import { JOB_PROPERTIES } from '#domain/claims/doubt.js';
import { type ClaimRules, defaultRules, ruleOf } from '#domain/claims/rules.js';
import { type Instant, toIso } from '#domain/time/instant.js';
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
  const stated = await readStatedProperties(tx, source, selection);
  const counted = stated.filter(name => properties?.includes(name) ?? true).slice(0, MAX_FACETS);
  const rows = counted.length === 0 ? [] : await readCounts(tx, source, selection, counted, refreshWithin);
  const byProperty = Map.groupBy(rows, row => row.property);
  return {
    total,
    facets: counted.map(property => toFacet(property, byProperty.get(property) ?? [])),
    has_more_properties: stated.length > counted.length,
  };
}

/** Selects the current claims of matching rows as `c`. */
function claimsSql(source: ListSource, { filter, now }: RowSelection, params: SqlParams): string {
  return `(SELECT ${source.entity} AS id FROM ${source.from}
      WHERE ${source.where} AND ${filterSql(source, filter, now, params)}) AS matching
    JOIN claims c ON c.workspace_id = $1 AND c.entity_id = matching.id AND c.value IS NOT NULL`;
}

/** Returns the properties of the claims, the most frequent first. */
async function readStatedProperties(tx: Tx, source: ListSource, selection: RowSelection): Promise<string[]> {
  const params = bindWorkspace(tx);
  const rows = await tx.query<{ property: string }>(
    `SELECT c.property FROM ${claimsSql(source, selection, params)}
     GROUP BY c.property ORDER BY count(*) DESC, c.property`,
    params.values,
  );
  return rows.map(({ property }) => property);
}

/** Number of claims of one property with one freshness, class or source. */
interface CountRow {
  readonly property: string;
  readonly by: 'freshness' | 'class' | 'source';
  readonly name: string;
  readonly claims: number;
  readonly only_source: number;
  readonly refresh_due: number;
  readonly not_fresh: number;
}

async function readCounts(
  tx: Tx,
  source: ListSource,
  selection: RowSelection,
  properties: readonly string[],
  refreshWithin: Instant,
): Promise<CountRow[]> {
  const params = bindWorkspace(tx);
  const { now } = selection;
  const claims = claimsSql(source, selection, params);
  const ages = freshnessLimitsSql(source.rules ?? defaultRules, properties, now, params);
  const dueLimit = params.add(refreshWithin / 1_000_000, 'float8');
  const job = params.add([...JOB_PROPERTIES], 'text[]');
  const counts = (alone: string) => `count(*)::int AS claims, ${alone} AS only_source,
      count(*) FILTER (WHERE freshness = 'fresh' AND is_due)::int AS refresh_due,
      count(*) FILTER (WHERE freshness <> 'fresh')::int AS not_fresh`;
  return tx.query<CountRow>(
    `WITH counted AS MATERIALIZED (
       SELECT c.property, c.epistemic_class, c.sources,
         CASE WHEN c.supported_at < age.suspect THEN 'expired'
              WHEN c.supported_at < age.aging OR c.property = ANY (${job}) AND ${doubtSql('c')} THEN 'suspect'
              WHEN c.supported_at < age.fresh THEN 'aging' ELSE 'fresh' END AS freshness,
         c.supported_at < age.fresh + ${dueLimit} * interval '1 second' AS is_due
       FROM ${claims}
       JOIN ${ages} ON age.property = c.property
     )
     SELECT property, 'freshness' AS by, freshness AS name, ${counts('0')} FROM counted GROUP BY property, freshness
     UNION ALL
     SELECT property, 'class', epistemic_class, ${counts('0')} FROM counted GROUP BY property, epistemic_class
     UNION ALL
     SELECT property, 'source', source.name,
       ${counts('count(*) FILTER (WHERE jsonb_array_length(sources) = 1)::int')}
     FROM counted CROSS JOIN LATERAL jsonb_array_elements_text(sources) AS source (name)
     GROUP BY property, source.name`,
    params.values,
  );
}

/** Selects, as `age`, the times of support before which a claim of each property falls to the next grade. */
function freshnessLimitsSql(rules: ClaimRules, properties: readonly string[], now: Instant, params: SqlParams): string {
  const { fresh, aging, suspect } = rules.freshness;
  const limits = (share: number) =>
    params.add(
      properties.map(property => {
        const { halfLife } = ruleOf(rules, property);
        return Number.isFinite(halfLife) ? toIso(now - toAge(share, halfLife)) : '-infinity';
      }),
      'timestamptz[]',
    );
  return `unnest(${params.add(properties, 'text[]')}, ${limits(fresh)}, ${limits(aging)}, ${limits(suspect)})
    AS age (property, fresh, aging, suspect)`;
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
