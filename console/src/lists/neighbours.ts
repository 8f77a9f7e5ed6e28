/** The rows of the list that a person came from, in its order. */
export interface StoredList {
  /** Address of the list, with its filter. */
  readonly href: string;
  readonly ids: readonly string[];
}

/** The place of an account in the list that a person came from. */
export interface Neighbours {
  readonly href: string;
  readonly position: number;
  readonly count: number;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Returns the place of an account in a list; undefined if it is not one of its rows. */
export function findNeighbours(list: StoredList | undefined, id: string): Neighbours | undefined {
  const index = list?.ids.indexOf(id) ?? -1;
  if (!list || index === -1) return undefined;
  const { href, ids } = list;
  return { href, position: index + 1, count: ids.length, previous: ids[index - 1], next: ids[index + 1] };
}
