import { MEMBER_SEPARATOR } from '#domain/claims/comparable-value.js';
import type { Freshness } from '#domain/claims/freshness.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import type { FieldTest } from '#domain/filters/filter.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import type { SqlParams } from './sql-params.js';

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
      return freshnessSql(rules, test.grades, halfLife, now, params);
    case 'class':
      return `c.epistemic_class = ANY (${params.add(test.classes, 'text[]')})`;
    case 'confidence':
      return `c.confidence ${test.side} ${params.add(test.value, 'float8')}`;
    case 'observed':
      return `c.supported_at ${test.side} ${params.add(toIso(test.value), 'timestamptz')}`;
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
  const since = (share: number) =>
    params.add(toIso(now - Math.round(-Math.log2(share) * halfLife * DAY_US)), 'timestamptz');
  const ranges: Readonly<Record<Freshness, () => string>> = {
    fresh: () => `c.supported_at >= ${since(fresh)}`,
    aging: () => `(c.supported_at < ${since(fresh)} AND c.supported_at >= ${since(aging)})`,
    suspect: () => `(c.supported_at < ${since(aging)} AND c.supported_at >= ${since(suspect)})`,
    expired: () => `c.supported_at < ${since(suspect)}`,
  };
  return `(${grades.map(grade => ranges[grade]()).join(' OR ')})`;
}
