import { canonicalProperty } from '#domain/properties/registry.js';
import type { Field, FieldKind } from './filter.js';

/** Columns of a list by the names that callers use. Every other name is a property of the entity. */
export interface FieldCatalogue {
  readonly columns: ReadonlyMap<string, Field>;
}

const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;

/**
 * Builds a catalogue of columns by kind; `alias=column` gives a column another name.
 * @param values the only values of text columns that have a fixed set of them.
 */
export function buildCatalogue(
  columns: Partial<Record<FieldKind, readonly string[]>>,
  values: Readonly<Record<string, readonly string[]>> = {},
): FieldCatalogue {
  const entries = Object.entries(columns).flatMap(([kind, names]) =>
    names.map(spec => {
      const [alias = '', name = alias] = spec.split('=');
      const field: Field = { name, kind: kind as FieldKind, ...(values[name] && { values: values[name] }) };
      return [alias, field] as const;
    }),
  );
  return { columns: new Map(entries) };
}

/** Resolves a name to a column, else to a property by its canonical name; undefined if it is neither. */
export function resolveField({ columns }: FieldCatalogue, name: string): Field | undefined {
  const column = columns.get(name);
  if (column) return column;
  return PROPERTY.test(name) && !name.startsWith('interaction.')
    ? { name: canonicalProperty(name), kind: 'claim' }
    : undefined;
}
