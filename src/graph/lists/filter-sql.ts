import { defaultRules } from '#domain/claims/default-rules.js';
import type { Field, Filter, FieldTest } from '#domain/filters/filter.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { claimSql } from './claim-sql.js';
import { companySql, identifierSql } from './identifier-sql.js';
import type { ListColumn, ListSource } from './list-source.js';
import type { SqlParams } from './sql-params.js';

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
