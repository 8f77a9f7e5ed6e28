/** Conditions that a chip can state about a property. */
export const CONDITIONS = [
  'contains',
  'is',
  'exists',
  'missing',
  'freshness',
  'confidence',
  'class',
  'source',
  'only_source',
  'due',
  'stale',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** One condition of a list, such as "title contains VP". */
export interface Chip {
  readonly property: string;
  readonly condition: Condition;
  /** Empty for conditions without a value. */
  readonly value: string;
}

/** What the address of a list holds. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly chips?: readonly Chip[] | undefined;
  /** Lead list, by its ID. */
  readonly list?: string | undefined;
  /** A filter of the API that chips cannot state. */
  readonly filter?: string | undefined;
  /** Fields that the columns show, separated by commas; undefined: those of the page. */
  readonly columns?: string | undefined;
  /** Saved view that was opened, by its ID. */
  readonly view?: string | undefined;
}

function isChip(value: unknown): value is Chip {
  if (typeof value !== 'object' || value === null) return false;
  const { property, condition, value: text } = value as Partial<Chip>;
  return typeof property === 'string' && typeof text === 'string' && CONDITIONS.some(each => each === condition);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readFilter(value: unknown): string | undefined {
  const text = readText(value);
  try {
    return text !== undefined && typeof JSON.parse(text) === 'object' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the address of a list. What it cannot mean is left out, and never an error. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const chips = Array.isArray(search['chips']) ? search['chips'].filter(isChip) : [];
  return {
    q: readText(search['q']),
    sort: readText(search['sort']),
    chips: chips.length > 0 ? chips : undefined,
    list: readText(search['list']),
    filter: readFilter(search['filter']),
    columns: readText(search['columns']),
    view: readText(search['view']),
  };
}

/**
 * Returns the `filter` of the API for chips, all of which must hold; undefined without any.
 * @param further a filter that must hold as well
 */
export function toFilter(chips: readonly Chip[], further?: string): string | undefined {
  if (chips.length === 0) return further;
  const conditions: unknown[] = chips.map(({ property, condition, value }) => ({
    [property]: toCondition(condition, value),
  }));
  if (further !== undefined) conditions.push(JSON.parse(further));
  return JSON.stringify(conditions.length === 1 ? conditions[0] : { $and: conditions });
}

/** Returns the chips that state a `filter` of the API; undefined for one that chips cannot state. */
export function fromFilter(filter: string): readonly Chip[] | undefined {
  const parsed = JSON.parse(filter) as Readonly<Record<string, unknown>>;
  const all: unknown = parsed['$and'];
  const parts = Array.isArray(all) && Object.keys(parsed).length === 1 ? all : [parsed];
  const chips = parts.flatMap(part => Object.entries(part as object).flatMap(each => toChips(...each)));
  return chips.includes(undefined) ? undefined : (chips as Chip[]);
}

function toChips(property: string, test: unknown): (Chip | undefined)[] {
  if (property.startsWith('$')) return [undefined];
  if (typeof test === 'string') return [{ property, condition: 'is', value: test }];
  if (typeof test !== 'object' || test === null || Array.isArray(test)) return [undefined];
  return Object.entries(test).map(([operator, operand]) => toChip(property, operator, operand));
}

function toChip(property: string, operator: string, operand: unknown): Chip | undefined {
  if (operator === '$exists') return { property, condition: operand ? 'exists' : 'missing', value: '' };
  if (operator === 'confidence') {
    const { $gte: bound, ...others } = (operand ?? {}) as { readonly $gte?: unknown };
    if (typeof bound !== 'number' || Object.keys(others).length > 0) return undefined;
    return { property, condition: 'confidence', value: String(bound) };
  }
  if (operator === 'refresh_due_at') {
    const { $lte: bound, ...others } = (operand ?? {}) as { readonly $lte?: unknown };
    if (typeof bound !== 'string' || !bound.startsWith('+') || Object.keys(others).length > 0) return undefined;
    return { property, condition: 'due', value: bound.slice(1) };
  }
  if (operator === 'freshness' && JSON.stringify(operand) === JSON.stringify(STALE))
    return { property, condition: 'stale', value: '' };
  const condition = TEXT_CONDITIONS[operator];
  return condition && typeof operand === 'string' ? { property, condition, value: operand } : undefined;
}

const TEXT_CONDITIONS: Readonly<Record<string, Condition | undefined>> = {
  $contains: 'contains',
  $eq: 'is',
  freshness: 'freshness',
  epistemic_class: 'class',
  source: 'source',
  only_source: 'only_source',
};

/** Freshness of a fact that is no longer fresh. */
const STALE = { $in: ['aging', 'suspect', 'expired'] };

function toCondition(condition: Condition, value: string): unknown {
  switch (condition) {
    case 'contains':
      return { $contains: value };
    case 'is':
      return { $eq: value };
    case 'exists':
      return { $exists: true };
    case 'missing':
      return { $exists: false };
    case 'freshness':
      return { freshness: value };
    case 'confidence':
      return { confidence: { $gte: Number(value) } };
    case 'class':
      return { epistemic_class: value };
    case 'source':
      return { source: value };
    case 'only_source':
      return { only_source: value };
    case 'due':
      return { refresh_due_at: { $lte: `+${value}` } };
    case 'stale':
      return { freshness: STALE };
  }
}

/** Returns whether two lists of chips are the same. */
export function isSameChips(a: readonly Chip[], b: readonly Chip[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
