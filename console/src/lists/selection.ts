import { useState } from 'react';
import { listBetween } from './listBetween.ts';

/** The rows of a list that are ticked, and how they change. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Ticks a row, or takes its tick away. */
  readonly toggle: (id: string) => void;
  /** Ticks rows, or takes their ticks away if all have one. */
  readonly toggleAll: (ids: readonly string[]) => void;
  /** Ticks the rows from the one that was ticked last to this one. */
  readonly extendTo: (id: string, order: readonly string[]) => void;
  readonly clear: () => void;
}

interface Ticked {
  readonly of: string;
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
}

/** Keeps which rows are ticked. @param of what the list shows: when it shows something else, nothing is ticked */
export function useSelection(of: string): Selection {
  const [ticked, setTicked] = useState<Ticked>({ of, ids: new Set(), last: undefined });
  const { ids, last } = ticked.of === of ? ticked : { ids: new Set<string>(), last: undefined };
  const set = (next: Iterable<string>, by: string | undefined) => setTicked({ of, ids: new Set(next), last: by });
  return {
    ids,
    toggle: id => set(ids.has(id) ? [...ids].filter(each => each !== id) : [...ids, id], id),
    toggleAll: all => set(all.every(id => ids.has(id)) ? [] : all, undefined),
    extendTo: (id, order) => set([...ids, ...listBetween(order, last, id)], id),
    clear: () => set([], undefined),
  };
}
