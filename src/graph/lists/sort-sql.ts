import { isNumericProperty, type SortKey } from '#domain/filters/filter.js';
import { JOB_PROPERTIES } from '#domain/claims/doubt.js';
import { doubtSql } from '../claims/claims.queries.js';
import type { ListColumn, ListSource } from './page.queries.js';
import type { SqlParams } from './sql-params.js';
import { toIso } from '#domain/time/instant.js';

/** A sort key as SQL. */
export interface SqlKey extends ListColumn {
  readonly descending: boolean;
  /** Alias of the claim that it comes from, which may be missing; undefined for columns. */
  readonly claim: string | undefined;
}

/** Sort keys, and the joins of the claims among them. */
export interface SqlSort {
  readonly keys: readonly SqlKey[];
  readonly joins: string;
}

/**
 * Returns SQL of sort keys. Properties are sorted by their number or by their text prefix, which are indexed; by
 * confidence and freshness without an index, which reads all claims of the property.
 */
export function sortSql(source: ListSource, sort: readonly SortKey[], params: SqlParams): SqlSort {
  const joins: string[] = [];
  const keys = sort.map(({ field, descending, quality }, i): SqlKey => {
    if (field.kind !== 'claim') {
      const column = source.sorts?.[field.name] ?? source.columns[field.name]!;
      return { ...column, descending, claim: undefined };
    }
    const claim = `s${i}`;
    joins.push(`LEFT JOIN claims ${claim} ON ${claim}.workspace_id = $1 AND ${claim}.entity_id = ${source.entity}
      AND ${claim}.property = ${params.add(field.name, 'text')}`);
    return { ...toSortColumn(field.name, quality, claim), descending, claim };
  });
  return { keys, joins: joins.join('\n') };
}

function toSortColumn(property: string, quality: SortKey['quality'], claim: string): ListColumn {
  if (quality === 'confidence')
    return { sql: `CASE WHEN ${claim}.value IS NOT NULL THEN ${claim}.confidence END`, type: 'float8' };
  if (quality === 'freshness') return { sql: freshnessKeySql(property, claim), type: 'timestamptz' };
  return isNumericProperty(property)
    ? { sql: `${claim}.number_value`, type: 'float8' }
    : { sql: `${claim}.text_prefix`, type: 'text' };
}

/**
 * Among facts of one property, freshness follows the time of the last support. Facts of an earlier job are suspect
 * however recent they are, so they are dated a century back and come after all others.
 */
function freshnessKeySql(property: string, claim: string): string {
  const doubtful = JOB_PROPERTIES.has(property)
    ? ` WHEN ${doubtSql(claim)} THEN ${claim}.supported_at - interval '36525 days'`
    : '';
  return `CASE WHEN ${claim}.value IS NULL THEN NULL${doubtful} ELSE ${claim}.supported_at END`;
}

/**
 * Returns an ORDER BY list such as `a DESC, b NULLS LAST, id DESC`. The first key needs no NULLS LAST, because rows
 * without it are selected separately.
 */
export function orderSql(keys: readonly SqlKey[], id: string): string {
  const parts = keys.map(
    ({ sql, descending }, i) => `${sql} ${descending ? 'DESC' : 'ASC'}${i > 0 ? ' NULLS LAST' : ''}`,
  );
  return [...parts, `${id} ${keys[0]?.descending ? 'DESC' : 'ASC'}`].join(', ');
}

/** A sort value of a row: instants as microseconds, null if the row has none. */
export type SortValue = string | number | null;

/** The last row of the previous page. */
export interface PageKey {
  readonly values: readonly SortValue[];
  readonly id: string;
}

/**
 * Returns SQL for the rows after a page key whose first sort value is not null. The first sort key is an index
 * condition by itself; if it is the only key, the whole comparison is.
 */
export function afterValue(keys: readonly SqlKey[], id: string, pageKey: PageKey, params: SqlParams): string {
  const [first, ...rest] = keys;
  const side = first!.descending ? '<' : '>';
  const value = bindValue(first!, pageKey.values[0]!, params);
  const idValue = params.add(pageKey.id, 'uuid');
  if (rest.length === 0) return `(${first!.sql}, ${id}) ${side} (${value}, ${idValue})`;
  const restSql = afterRest(rest, pageKey.values.slice(1), `${id} ${side} ${idValue}`, params);
  return `${first!.sql} ${side}= ${value} AND (${first!.sql} ${side} ${value} OR ${restSql})`;
}

/** Returns SQL for the rows after a page key whose first sort value is null, among the rows without one. */
export function afterNull(keys: readonly SqlKey[], id: string, pageKey: PageKey, params: SqlParams): string {
  const side = keys[0]!.descending ? '<' : '>';
  return afterRest(keys.slice(1), pageKey.values.slice(1), `${id} ${side} ${params.add(pageKey.id, 'uuid')}`, params);
}

/** Compares keys lexicographically; nulls come last. */
function afterRest(keys: readonly SqlKey[], values: readonly SortValue[], tie: string, params: SqlParams): string {
  const [key, ...others] = keys;
  if (!key) return tie;
  const restSql = afterRest(others, values.slice(1), tie, params);
  const [value] = values;
  if (value === null || value === undefined) return `(${key.sql} IS NULL AND ${restSql})`;
  const param = bindValue(key, value, params);
  return `(${key.sql} ${key.descending ? '<' : '>'} ${param} OR ${key.sql} IS NULL OR (${key.sql} = ${param} AND ${restSql}))`;
}

function bindValue({ type }: SqlKey, value: SortValue, params: SqlParams): string {
  return params.add(type === 'timestamptz' ? toIso(Number(value)) : value, type);
}
