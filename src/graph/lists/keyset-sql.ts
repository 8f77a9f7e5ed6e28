import { toIso } from '#domain/time/instant.js';
import type { SqlParams } from './sql-params.js';
import type { SqlKey } from './sort-sql.js';

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
export function afterValue(keys: readonly SqlKey[], id: string, place: PageKey, params: SqlParams): string {
  const [first, ...rest] = keys;
  const side = first!.descending ? '<' : '>';
  const value = bindValue(first!, place.values[0]!, params);
  const idValue = params.add(place.id, 'uuid');
  if (rest.length === 0) return `(${first!.sql}, ${id}) ${side} (${value}, ${idValue})`;
  const behind = afterRest(rest, place.values.slice(1), `${id} ${side} ${idValue}`, params);
  return `${first!.sql} ${side}= ${value} AND (${first!.sql} ${side} ${value} OR ${behind})`;
}

/** Returns SQL for the rows after a page key whose first sort value is null, among the rows without one. */
export function afterNull(keys: readonly SqlKey[], id: string, place: PageKey, params: SqlParams): string {
  const side = keys[0]!.descending ? '<' : '>';
  return afterRest(keys.slice(1), place.values.slice(1), `${id} ${side} ${params.add(place.id, 'uuid')}`, params);
}

/** Compares keys lexicographically; nulls come last. */
function afterRest(keys: readonly SqlKey[], values: readonly SortValue[], tie: string, params: SqlParams): string {
  const [key, ...others] = keys;
  if (!key) return tie;
  const behind = afterRest(others, values.slice(1), tie, params);
  const [value] = values;
  if (value === null || value === undefined) return `(${key.sql} IS NULL AND ${behind})`;
  const at = bindValue(key, value, params);
  return `(${key.sql} ${key.descending ? '<' : '>'} ${at} OR ${key.sql} IS NULL OR (${key.sql} = ${at} AND ${behind}))`;
}

function bindValue({ type }: SqlKey, value: SortValue, params: SqlParams): string {
  return params.add(type === 'timestamptz' ? toIso(Number(value)) : value, type);
}
