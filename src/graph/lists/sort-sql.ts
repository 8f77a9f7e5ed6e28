import { isNumericProperty, type SortKey } from '#domain/filters/sort.js';
import type { ListColumn, ListSource } from './list-source.js';
import type { SqlParams } from './sql-params.js';

/** A sort key as SQL. */
export interface SqlKey extends ListColumn {
  readonly descending: boolean;
  /** Whether it is a claim, which may be missing. */
  readonly isClaim: boolean;
}

/** Sort keys, and the joins of the claims among them. */
export interface SqlSort {
  readonly keys: readonly SqlKey[];
  readonly joins: string;
}

/** Returns SQL of sort keys. Properties are sorted by their number or by their text prefix, which are indexed. */
export function sortSql(source: ListSource, sort: readonly SortKey[], params: SqlParams): SqlSort {
  const joins: string[] = [];
  const keys = sort.map(({ field, descending }, i): SqlKey => {
    if (field.kind !== 'claim') {
      const column = source.sorts?.[field.name] ?? source.columns[field.name]!;
      return { ...column, descending, isClaim: false };
    }
    const claim = `s${i}`;
    joins.push(`LEFT JOIN claims ${claim} ON ${claim}.workspace_id = $1 AND ${claim}.entity_id = ${source.entity}
      AND ${claim}.property = ${params.add(field.name, 'text')}`);
    return isNumericProperty(field.name)
      ? { sql: `${claim}.number_value`, type: 'float8', descending, isClaim: true }
      : { sql: `${claim}.text_prefix`, type: 'text', descending, isClaim: true };
  });
  return { keys, joins: joins.join('\n') };
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
