import type { EpistemicClass, Freshness } from '../claims/confidence.js';
import type { Instant } from '../time/instant.js';
import { canonicalProperty } from '../properties/registry.js';
import { defaultRules, ruleOf } from '../claims/rules.js';

/**
 * Kind of a list field, which decides how it can be filtered:
 * - `claim`: the claim of the entity about that property, compared as claims compare;
 * - `text`: a column, compared exactly; `name`: the entity's name, compared as names are;
 * - `number`, `time` (microseconds), `boolean`, `uuid`: columns;
 * - `email`, `linkedin`, `domain`: any identifier of that kind; `account`: the company, by ID or domain.
 */
export type FieldKind =
  | 'claim'
  | 'text'
  | 'name'
  | 'number'
  | 'time'
  | 'boolean'
  | 'uuid'
  | 'email'
  | 'linkedin'
  | 'domain'
  | 'account';

/** A field of a list. The name is the canonical property of a claim, else the column. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** The only values that the column has; undefined: any. */
  readonly values?: readonly string[];
}

/** A value in comparable form: folded text, a number, an instant, a boolean. */
export type Comparand = string | number | boolean;

/** Comparison operator. */
export type ComparisonOperator = '<' | '<=' | '>' | '>=';

/** A positive test of one field; false if the claim does not exist. */
export type FieldTest =
  | { readonly op: 'in'; readonly values: readonly Comparand[] }
  | { readonly op: 'contains' | 'starts_with'; readonly value: string }
  | { readonly op: 'compare'; readonly side: ComparisonOperator; readonly value: string | number }
  | { readonly op: 'exists' }
  | { readonly op: 'freshness'; readonly grades: readonly Freshness[] }
  | { readonly op: 'class'; readonly classes: readonly EpistemicClass[] }
  | { readonly op: 'confidence'; readonly side: ComparisonOperator | '='; readonly value: number }
  | { readonly op: 'source' | 'only_source'; readonly sources: readonly string[] }
  | { readonly op: 'observed' | 'refresh_due_at'; readonly side: ComparisonOperator; readonly value: Instant };

/** A validated filter. Empty `all` is true, empty `any` is false. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly field: Field; readonly test: FieldTest };

/** The filter that matches everything. */
export const MATCH_ALL: Filter = { all: [] };

/** A problem of a filter, with its path and the fix. */
export interface FilterProblem {
  /** A path such as `filter.title.$in`. */
  readonly field: string;
  readonly message: string;
}

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

/** Qualities of a claim that lists are sorted by: how sure it is, and how recently its value was supported. */
const SORTED_QUALITIES = ['confidence', 'freshness'] as const;

/** A sort key. Rows without a value come last in either direction. */
export interface SortKey {
  readonly field: Field;
  readonly descending: boolean;
  /** Quality of the field's claim to sort by; undefined: its value. */
  readonly quality?: (typeof SORTED_QUALITIES)[number];
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

/**
 * Parses `-priority,name`: a minus means descending, and `title.confidence` or `title.freshness` the quality of a claim
 * instead of its value. Undefined if a name cannot be sorted by.
 */
export function parseSort(text: string, catalogue: FieldCatalogue): SortKey[] | undefined {
  const parts = text.split(',').map(part => part.trim());
  if (parts.length > MAX_SORT_KEYS) return undefined;
  const keys = parts.map(part => {
    const descending = part.startsWith('-');
    return parseSortKey(descending ? part.slice(1) : part, descending, catalogue);
  });
  const known = keys.filter(key => key !== undefined);
  const distinct = new Set(known.map(({ field, quality }) => `${field.kind} ${field.name} ${quality}`));
  return known.length === parts.length && distinct.size === parts.length ? known : undefined;
}

function parseSortKey(name: string, descending: boolean, catalogue: FieldCatalogue): SortKey | undefined {
  const quality = SORTED_QUALITIES.find(each => name.endsWith(`.${each}`));
  if (quality === undefined) {
    const field = resolveField(catalogue, name);
    return field && isOrdered(field) ? { field, descending } : undefined;
  }
  const field = resolveField(catalogue, name.slice(0, -quality.length - 1));
  const claim = field && toClaimField(field);
  return claim && { field: claim, descending, quality };
}

/** Returns the claim behind a field; undefined for columns, which are not claims. */
export function toClaimField({ name, kind }: Field): Field | undefined {
  if (kind === 'claim') return { name, kind };
  if (kind === 'name' || kind === 'email' || kind === 'domain') return { name: kind, kind: 'claim' };
  return kind === 'linkedin' ? { name: 'linkedin_url', kind: 'claim' } : undefined;
}

/** Returns whether a list can be sorted by a field. Properties with many values, and identifiers, have no order. */
export function isOrdered({ name, kind }: Field): boolean {
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
