/** Conditions that a chip can state about a property. */
export const CONDITIONS = ['contains', 'is', 'exists', 'missing', 'freshness', 'confidence', 'class'] as const;
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
}

function isChip(value: unknown): value is Chip {
  if (typeof value !== 'object' || value === null) return false;
  const { property, condition, value: text } = value as Partial<Chip>;
  return typeof property === 'string' && typeof text === 'string' && CONDITIONS.some(each => each === condition);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the address of a list. What it cannot mean is left out, and never an error. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const chips = Array.isArray(search['chips']) ? search['chips'].filter(isChip) : [];
  return {
    q: readText(search['q']),
    sort: readText(search['sort']),
    chips: chips.length > 0 ? chips : undefined,
    list: readText(search['list']),
  };
}

/** Returns the `filter` of the API for chips, all of which must hold; undefined without any. */
export function toFilter(chips: readonly Chip[]): string | undefined {
  if (chips.length === 0) return undefined;
  const conditions = chips.map(({ property, condition, value }) => ({ [property]: toCondition(condition, value) }));
  return JSON.stringify(conditions.length === 1 ? conditions[0] : { $and: conditions });
}

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
  }
}

/** Returns whether two lists of chips are the same. */
export function isSameChips(a: readonly Chip[], b: readonly Chip[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
