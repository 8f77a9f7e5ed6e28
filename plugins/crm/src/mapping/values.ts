import type { Json } from '@rapport/plugin-sdk';
import type { CrmRecord, StandardField } from '../adapters/adapter.js';
import type { FieldMapping } from './mapping.js';

/** What values of the CRM stand for: labels of choices by field and value, and names of owners and companies by ID. */
export interface References {
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly owners: ReadonlyMap<string, string>;
  readonly companies: ReadonlyMap<string, string>;
}

/** The value of a property that differs from the last sync. */
export interface ChangedValue {
  readonly property: string;
  readonly field: string;
  /** Null if the CRM has no value any more. */
  readonly value: Json;
}

/** Returns the value of a field as the graph keeps it; null for none, and for one that stands for nothing known. */
export function convertValue({ field, type }: StandardField, value: string | null, references: References): Json {
  if (value === null) return null;
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : null;
  if (type === 'owner') return references.owners.get(value) ?? null;
  if (type === 'company') return references.companies.get(value) ?? null;
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
    const { field, property, isPulled } = mapping;
    if (!isPulled) return [];
    const [now, before] = [values[field] ?? null, known[field] ?? null];
    if (now === before) return [];
    const value = convertValue(mapping, now, references);
    // What cannot be read is no end of the fact.
    return value === null && now !== null ? [] : [{ property, field, value }];
  });
}

/** Returns the values of a record without references to owners and companies that are not known yet: those are stated later. */
export function dropUnresolved(
  mappings: readonly FieldMapping[],
  { values }: Pick<CrmRecord, 'values'>,
  references: References,
): CrmRecord['values'] {
  const unresolved = mappings.filter(mapping => {
    const isReference = mapping.type === 'owner' || mapping.type === 'company';
    return isReference && convertValue(mapping, values[mapping.field] ?? null, references) === null;
  });
  return { ...values, ...Object.fromEntries(unresolved.map(({ field }) => [field, null])) };
}

/**
 * Returns a claim as the CRM keeps it; null if the field cannot have it, such as a choice that it does not offer.
 * @param value not null
 */
export function toCrmValue({ field, type }: StandardField, value: Json, references: References): string | null {
  if (type === 'number') return Number.isFinite(value) ? String(value) : null;
  if (type === 'owner') return findOwner(value, references.owners);
  if (type === 'company') return null;
  const choices = type === 'choice' ? Object.entries(references.choices[field] ?? {}) : [];
  if (choices.length > 0) {
    const found = (Array.isArray(value) ? value : [value]).map(each => findChoice(each as Json, choices));
    return found.every(each => each !== undefined) ? found.join(';') : null;
  }
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function findChoice(value: Json, choices: readonly (readonly [string, string])[]): string | undefined {
  const wanted = String(value).toLowerCase();
  const isWanted = ([own, label]: readonly [string, string]) =>
    label.toLowerCase() === wanted || own.toLowerCase() === wanted;
  return choices.find(isWanted)?.[0];
}

/** Two owners of one name are not told apart. */
function findOwner(value: Json, owners: References['owners']): string | null {
  const wanted = String(value).toLowerCase();
  const found = [...owners].filter(([, name]) => name.toLowerCase() === wanted);
  return found.length === 1 ? found[0]![0] : null;
}
