import type { Schemas } from '../api/schemas.ts';
import { fromFilter, type ListSearch, toFilter } from './search.ts';

/** A view that was saved in the hub. */
export type SavedView = Schemas['SavedView'];

/** Lists that have views. */
export type ViewResource = SavedView['resource'];

type ViewQuery = Schemas['SavedViewQuery'];

/** Returns what the address of a list holds when a view is opened. */
export function toSearch({ id, query }: Pick<SavedView, 'id' | 'query'>): ListSearch {
  const chips = query.filter === undefined ? undefined : fromFilter(query.filter);
  return {
    q: query.search,
    sort: query.sort,
    chips,
    filter: chips === undefined ? query.filter : undefined,
    list: query.list_id,
    columns: query.fields,
    view: id,
  };
}

/** Returns what a view of the present state of a list saves. */
export function toViewQuery({ q, sort, chips = [], filter, list, columns }: ListSearch): ViewQuery {
  const entries = Object.entries({ search: q, filter: toFilter(chips, filter), sort, fields: columns, list_id: list });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns whether a list shows something else than the view that it was opened with. */
export function isChanged(view: SavedView, search: ListSearch): boolean {
  return JSON.stringify(toViewQuery(toSearch(view))) !== JSON.stringify(toViewQuery(search));
}
