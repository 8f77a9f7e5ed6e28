import { validate as isUuid } from 'uuid';
import { JOB_PROPERTIES } from '#domain/claims/doubt.js';
import { MEMBER_SEPARATOR } from '#domain/comparison/canonical-key.js';
import type { Freshness } from '#domain/claims/confidence.js';
import { type ClaimRules, ruleOf, defaultRules } from '#domain/claims/rules.js';
import type { ComparisonOperator, FieldTest, Field, Filter } from '#domain/filters/filter.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import { doubtSql } from '../claims/claims.queries.js';
import type { SqlParams } from './sql-params.js';
import type { ListSource, ListColumn } from './page.queries.js';

/** Number of characters of a claim's text in its `text_prefix`, which is indexed. */
export const INDEXED_PREFIX_LENGTH = 200;

const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Returns SQL that tests the claim `c` of a property. It is null if the claim has no value to compare; null counts as
 * no match.
 */
export function claimSql(
  rules: ClaimRules,
  property: string,
  test: FieldTest,
  now: Instant,
  params: SqlParams,
): string {
  const { cardinality, halfLife } = ruleOf(rules, property);
  const many = cardinality === 'many';
  switch (test.op) {
    case 'in':
      return many ? containsAnySql(test.values.map(String), params) : equalsAnySql(test.values.map(String), params);
    case 'contains':
      return `strpos(c.text_value, ${params.add(test.value, 'text')}) > 0`;
    case 'starts_with':
      return many
        ? `strpos(c.text_value, ${params.add(MEMBER_SEPARATOR + test.value, 'text')}) > 0`
        : startsWithSql(test.value, params);
    case 'compare':
      return typeof test.value === 'number'
        ? `c.number_value ${test.side} ${params.add(test.value, 'float8')}`
        : `c.text_value ${test.side} ${params.add(test.value, 'text')}`;
    case 'exists':
      return 'c.value IS NOT NULL';
    case 'freshness':
      return tenuredFreshnessSql(property, test.grades, grades => freshnessSql(rules, grades, halfLife, now, params));
    case 'class':
      return `c.epistemic_class = ANY (${params.add(test.classes, 'text[]')})`;
    case 'confidence':
      return `c.confidence ${test.side} ${params.add(test.value, 'float8')}`;
    case 'observed':
      return `c.supported_at ${test.side} ${params.add(toIso(test.value), 'timestamptz')}`;
    case 'refresh_due_at':
      return refreshDueSql(rules, halfLife, test, params);
    case 'source':
      return `c.sources ?| ${params.add(test.sources, 'text[]')}`;
    case 'only_source':
      return `(jsonb_array_length(c.sources) = 1 AND c.sources ?| ${params.add(test.sources, 'text[]')})`;
  }
}

/** The index on the prefix finds candidates; the whole text decides. */
function equalsAnySql(texts: readonly string[], params: SqlParams): string {
  const starts = params.add(
    texts.map(text => indexedPrefix(text)),
    'text[]',
  );
  return `c.text_prefix = ANY (${starts}) AND c.text_value = ANY (${params.add(texts, 'text[]')})`;
}

function containsAnySql(texts: readonly string[], params: SqlParams): string {
  const members = texts.map(text => MEMBER_SEPARATOR + text + MEMBER_SEPARATOR);
  return `EXISTS (SELECT FROM unnest(${params.add(members, 'text[]')}) AS member WHERE strpos(c.text_value, member) > 0)`;
}

function startsWithSql(start: string, params: SqlParams): string {
  const from = params.add(indexedPrefix(start), 'text');
  const to = params.add(indexedPrefix(start) + LAST_CHARACTER, 'text');
  return `c.text_prefix BETWEEN ${from} AND ${to} AND starts_with(c.text_value, ${params.add(start, 'text')})`;
}

/** Counts code points, as PostgreSQL does. */
function indexedPrefix(text: string): string {
  return text.length <= INDEXED_PREFIX_LENGTH ? text : [...text].slice(0, INDEXED_PREFIX_LENGTH).join('');
}

/** A fact of an earlier job is suspect unless it has expired. */
function tenuredFreshnessSql(
  property: string,
  grades: readonly Freshness[],
  sqlFor: (grades: readonly Freshness[]) => string,
): string {
  if (!JOB_PROPERTIES.has(property)) return sqlFor(grades);
  const ofEarlier = [
    ...(grades.includes('suspect') ? [sqlFor(['fresh', 'aging', 'suspect'])] : []),
    ...(grades.includes('expired') ? [sqlFor(['expired'])] : []),
  ];
  return `CASE WHEN ${doubtSql('c')} THEN ${joinSql(ofEarlier, 'OR', 'false')} ELSE ${sqlFor(grades)} END`;
}

/** Returns how long after its last support the freshness score of a fact falls to `share`; its half-life is finite. */
export function toAge(share: number, halfLifeDays: number): Instant {
  return Math.round(-Math.log2(share) * halfLifeDays * DAY_US);
}

/** A fact without a half-life stays fresh, so only lower limits hold for it. */
function refreshDueSql(
  rules: ClaimRules,
  halfLife: number,
  { side, value }: { readonly side: ComparisonOperator; readonly value: Instant },
  params: SqlParams,
): string {
  if (!Number.isFinite(halfLife)) return side.startsWith('>') ? 'c.supported_at IS NOT NULL' : 'false';
  return `c.supported_at ${side} ${params.add(toIso(value - toAge(rules.freshness.fresh, halfLife)), 'timestamptz')}`;
}

/** Freshness depends on the time of the last support, so it is tested as a range of `supported_at` relative to now. */
function freshnessSql(
  rules: ClaimRules,
  grades: readonly Freshness[],
  halfLife: number,
  now: Instant,
  params: SqlParams,
): string {
  if (!Number.isFinite(halfLife)) return grades.includes('fresh') ? 'c.supported_at IS NOT NULL' : 'false';
  const { fresh, aging, suspect } = rules.freshness;
  const since = (share: number) => params.add(toIso(now - toAge(share, halfLife)), 'timestamptz');
  const ranges: Readonly<Record<Freshness, () => string>> = {
    fresh: () => `c.supported_at >= ${since(fresh)}`,
    aging: () => `(c.supported_at < ${since(fresh)} AND c.supported_at >= ${since(aging)})`,
    suspect: () => `(c.supported_at < ${since(aging)} AND c.supported_at >= ${since(suspect)})`,
    expired: () => `c.supported_at < ${since(suspect)}`,
  };
  return `(${grades.map(grade => ranges[grade]()).join(' OR ')})`;
}

/** The property that states an identifier, by kind. */
const PROPERTY_BY_KIND = { email: 'email', linkedin: 'linkedin_url', domain: 'domain' } as const;

/**
 * Returns SQL that tests whether an entity has an identifier that passes a test, including those of entities merged
 * into it. A look-up by key starts from the identifier, everything else from the entity.
 */
export function identifierSql(
  { entity, entityCondition }: ListSource,
  kind: 'email' | 'linkedin' | 'domain',
  test: FieldTest,
  params: SqlParams,
): string {
  const kindParam = params.add(kind, 'text');
  if (test.op === 'in') {
    const matching = `i.workspace_id = $1 AND i.kind = ${kindParam} AND i.key = ANY (${params.add(test.values, 'text[]')})`;
    return entityCondition(`
      SELECT i.entity_id AS id FROM identifiers i WHERE ${matching} UNION ALL
      SELECT m.canonical_id FROM identifiers i JOIN entities m ON m.workspace_id = $1 AND m.id = i.entity_id
      WHERE ${matching} AND m.canonical_id IS NOT NULL`);
  }
  const own = `(
    SELECT ${entity} AS id UNION ALL
    SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = ${entity}) AS member`;
  const matching = `EXISTS (
    SELECT FROM ${own} JOIN identifiers i ON i.workspace_id = $1 AND i.entity_id = member.id
    WHERE i.kind = ${kindParam} AND ${textTestSql(kind === 'linkedin' ? 'i.key' : 'i.value', test, params)})`;
  return test.op === 'exists' ? `(${matching} AND NOT ${endedSql(entity, PROPERTY_BY_KIND[kind], params)})` : matching;
}

/**
 * Returns SQL that tests whether a company is one of several, given by id or domain, including those merged into it.
 */
export function companySql(company: string, test: FieldTest, params: SqlParams): string {
  if (test.op !== 'in') return `${company} IS NOT NULL`;
  const ids = params.add(test.values.filter(isUuid), 'uuid[]');
  const domains = params.add(
    test.values.filter(value => !isUuid(value)),
    'text[]',
  );
  return `${company} IN (
    SELECT coalesce(named.canonical_id, named.id) FROM entities named WHERE named.workspace_id = $1 AND named.id IN (
      SELECT unnest(${ids}) UNION
      SELECT i.entity_id FROM identifiers i WHERE i.workspace_id = $1 AND i.kind = 'domain' AND i.key = ANY (${domains})))`;
}

/** E-mail addresses and domains are searched as they were written, profiles as `linkedin.com/in/…`. */
function textTestSql(sql: string, test: FieldTest, params: SqlParams): string {
  if (test.op === 'contains') return `strpos(${sql}, ${params.add(test.value, 'text')}) > 0`;
  if (test.op === 'starts_with') return `starts_with(${sql}, ${params.add(test.value, 'text')})`;
  return 'true';
}

/** An ended address still identifies the person, but is no longer their address. */
function endedSql(entity: string, property: string, params: SqlParams): string {
  return `EXISTS (SELECT FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = ${entity}
    AND c.property = ${params.add(property, 'text')} AND c.epistemic_class = 'ended')`;
}

/**
 * Returns SQL for a validated filter. Under a negation, conditions are coalesced to false, so that "not" also matches
 * rows without a value. Elsewhere they stay in the form that indexes support.
 */
export function filterSql(
  source: ListSource,
  filter: Filter,
  now: Instant,
  params: SqlParams,
  negated = false,
): string {
  if ('not' in filter) return `NOT ${filterSql(source, filter.not, now, params, true)}`;
  if ('any' in filter)
    return joinSql(
      filter.any.map(part => filterSql(source, part, now, params, negated)),
      'OR',
      'false',
    );
  if ('all' in filter) return allSql(source, filter.all, now, params, negated);
  if (filter.field.kind === 'claim') return claimTestsSql(source, filter.field.name, [filter.test], now, params);
  const sql = columnSql(source, filter.field, filter.test, params);
  return negated ? `coalesce(${sql}, false)` : `(${sql})`;
}

type Leaf = Extract<Filter, { field: Field }>;

/** Conditions on the same claim are combined into one subquery. */
function allSql(
  source: ListSource,
  parts: readonly Filter[],
  now: Instant,
  params: SqlParams,
  negated: boolean,
): string {
  const flat = parts.flatMap(part => ('all' in part ? part.all : [part]));
  const isClaim = (part: Filter): part is Leaf => 'field' in part && part.field.kind === 'claim';
  const byProperty = Map.groupBy(flat.filter(isClaim), leaf => leaf.field.name);
  const claims = [...byProperty].map(([property, leaves]) =>
    claimTestsSql(
      source,
      property,
      leaves.map(leaf => leaf.test),
      now,
      params,
    ),
  );
  const rest = flat.filter(part => !isClaim(part)).map(part => filterSql(source, part, now, params, negated));
  return joinSql([...claims, ...rest], 'AND', 'true');
}

/** Never null: a missing claim is no match. */
function claimTestsSql(
  source: ListSource,
  property: string,
  tests: readonly FieldTest[],
  now: Instant,
  params: SqlParams,
): string {
  const propertyParam = params.add(property, 'text');
  const all = tests.map(test => claimSql(source.rules ?? defaultRules, property, test, now, params)).join(' AND ');
  return source.claimCondition(`c.workspace_id = $1 AND c.property = ${propertyParam} AND ${all}`);
}

function columnSql(source: ListSource, { name, kind }: Field, test: FieldTest, params: SqlParams): string {
  if (kind === 'email' || kind === 'linkedin' || kind === 'domain') return identifierSql(source, kind, test, params);
  if (kind === 'account') return companySql(source.company, test, params);
  return columnTestSql(source.columns[name]!, test, params);
}

/** Integer columns are compared as float8, so that any number is accepted. */
function columnTestSql({ sql, type: stored }: ListColumn, test: FieldTest, params: SqlParams): string {
  const type = stored === 'int4' ? 'float8' : stored;
  const bound = (value: unknown) => (type === 'timestamptz' ? toIso(Number(value)) : value);
  switch (test.op) {
    case 'in':
      return test.values.length === 1
        ? `${sql} = ${params.add(bound(test.values[0]), type)}`
        : `${sql} = ANY (${params.add(test.values.map(bound), `${type}[]`)})`;
    case 'compare':
      return `${sql} ${test.side} ${params.add(bound(test.value), type)}`;
    case 'exists':
      return `${sql} IS NOT NULL`;
    case 'contains':
      return `strpos(${sql}, ${params.add(test.value, 'text')}) > 0`;
    case 'starts_with':
      return `starts_with(${sql}, ${params.add(test.value, 'text')})`;
    default:
      throw new Error(`a column has no ${test.op}`);
  }
}

function joinSql(parts: readonly string[], word: 'AND' | 'OR', empty: string): string {
  return parts.length === 0 ? empty : `(${parts.join(` ${word} `)})`;
}
