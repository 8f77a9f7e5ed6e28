import type { Json } from '@rapport/plugin-sdk';
import type { CrmRecord, FieldMapping } from '../adapters/adapter.js';

/** What values of the CRM stand for: labels of choices by field and value, and names of owners by ID. */
export interface References {
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly owners: ReadonlyMap<string, string>;
}

/** The value of a property that differs from the last sync. */
export interface ChangedValue {
  readonly property: string;
  readonly field: string;
  /** Null if the CRM has no value any more. */
  readonly value: Json;
}

/** Returns the value of a field as the graph keeps it; null for none, and for one that stands for nothing known. */
export function convertValue({ field, type }: FieldMapping, value: string | null, references: References): Json {
  if (value === null) return null;
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : null;
  if (type === 'owner') return references.owners.get(value) ?? null;
  if (type === 'choice') return toLabels(value, references.choices[field] ?? {});
  return value;
}

/** A field with several choices has their values in one text. A field without choices can have any text. */
function toLabels(value: string, labels: Readonly<Record<string, string>>): Json {
  const toLabel = (each: string) => (Object.hasOwn(labels, each) ? labels[each]! : each);
  const isOne = Object.hasOwn(labels, value) || Object.keys(labels).length === 0 || !value.includes(';');
  return isOne ? toLabel(value) : value.split(';').filter(Boolean).map(toLabel);
}

/**
 * Returns what a record states anew. A field that never had a value states nothing.
 * @param known values of the last sync by field
 */
export function findChanges(
  mappings: readonly FieldMapping[],
  { values }: Pick<CrmRecord, 'values'>,
  known: Readonly<Record<string, string | null>>,
  references: References,
): ChangedValue[] {
  return mappings.flatMap(mapping => {
    const { field, property } = mapping;
    const [now, before] = [values[field] ?? null, known[field] ?? null];
    if (now === before) return [];
    const value = convertValue(mapping, now, references);
    // What cannot be read is no end of the fact.
    return value === null && now !== null ? [] : [{ property, field, value }];
  });
}
