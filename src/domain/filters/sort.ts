import { defaultRules } from '../claims/rules.js';
import { ruleOf } from '#domain/claims/rules.js';
import { type FieldCatalogue, resolveField, type Field } from './filter.js';

/** A sort key. Rows without a value come last in either direction. */
export interface SortKey {
  readonly field: Field;
  readonly descending: boolean;
}

/** Maximum number of sort keys. */
export const MAX_SORT_KEYS = 3;

/** Properties that are sorted by their number. */
const numericProperties = new Set([
  'headcount',
  'icp_score',
  'intent_score',
  'lead_score',
  'funding',
  'budget',
  'seats',
  'score',
]);

/** Returns whether a property is sorted by its number; all others are sorted by text. */
export function isNumericProperty(property: string): boolean {
  return numericProperties.has(property);
}

const unorderedKinds = new Set(['email', 'linkedin', 'domain', 'account', 'uuid', 'boolean']);

/** Parses `-priority,name`: a minus means descending. Undefined if a name cannot be sorted by. */
export function parseSort(text: string, catalogue: FieldCatalogue): SortKey[] | undefined {
  const parts = text.split(',').map(part => part.trim());
  if (parts.length > MAX_SORT_KEYS) return undefined;
  const keys = parts.map(part => {
    const descending = part.startsWith('-');
    const field = resolveField(catalogue, descending ? part.slice(1) : part);
    return field && isOrdered(field) ? { field, descending } : undefined;
  });
  const known = keys.filter(key => key !== undefined);
  const distinct = new Set(known.map(({ field }) => `${field.kind} ${field.name}`));
  return known.length === parts.length && distinct.size === parts.length ? known : undefined;
}

/** Properties with many values, and identifiers, have no order. */
function isOrdered({ name, kind }: Field): boolean {
  if (kind === 'claim') return ruleOf(defaultRules, name).cardinality === 'single';
  return !unorderedKinds.has(kind);
}

/** Returns the canonical properties that a filter and sort keys read. */
export function listFilterProperties(node: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit);
    if (typeof part !== 'object' || part === null) return;
    if ('kind' in part && part.kind === 'claim' && 'name' in part) found.add(String(part.name));
    else Object.values(part).forEach(visit);
  };
  visit(node);
  return found;
}
