/** What of a property a list is sorted by. */
export const SORT_KINDS = ['value', 'confidence', 'freshness'] as const;
export type SortKind = (typeof SORT_KINDS)[number];

/** The order of a list by one property. */
export interface SortOrder {
  readonly property: string;
  readonly kind: SortKind;
  readonly descending: boolean;
}

const QUALITY = /^(.+)\.(confidence|freshness)$/;

/** Reads the `sort` of the API; undefined for none, and for several keys. */
export function readSort(sort: string | undefined): SortOrder | undefined {
  if (sort === undefined || sort.includes(',')) return undefined;
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const [, property = name, kind = 'value'] = QUALITY.exec(name) ?? [];
  return { property, kind: kind as SortKind, descending };
}

/** Returns the `sort` of the API for an order. */
export function toSort({ property, kind, descending }: SortOrder): string {
  return `${descending ? '-' : ''}${property}${kind === 'value' ? '' : `.${kind}`}`;
}
