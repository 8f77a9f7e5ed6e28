import { canonicalProperty } from '#domain/properties/registry.js';
import type { Field, FieldKind } from './filter.js';

/** The columns of a list by the names that callers use. Every other name is a property of the entity. */
export interface FieldCatalogue {
  readonly columns: ReadonlyMap<string, { readonly name: string; readonly kind: FieldKind }>;
}

const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;

/** A catalogue of columns by kind; `alias=column` gives a column another name. */
export function buildCatalogue(columns: Partial<Record<FieldKind, readonly string[]>>): FieldCatalogue {
  const entries = Object.entries(columns).flatMap(([kind, names]) =>
    names.map(spec => {
      const [alias = '', name = alias] = spec.split('=');
      return [alias, { name, kind: kind as FieldKind }] as const;
    }),
  );
  return { columns: new Map(entries) };
}

/** The field that a name stands for: a column, else a property by its canonical name; undefined when it can be neither. */
export function resolveField({ columns }: FieldCatalogue, name: string): Field | undefined {
  const column = columns.get(name);
  if (column) return column;
  return PROPERTY.test(name) && !name.startsWith('interaction.')
    ? { name: canonicalProperty(name), kind: 'claim' }
    : undefined;
}
