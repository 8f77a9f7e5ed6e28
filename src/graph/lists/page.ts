import type { Tx } from '#kernel/db/transaction.js';
import type { HubError } from '#kernel/errors/errors.js';
import { cursorOf, placeOf } from './cursor.js';
import {
  type ListDialect,
  type ListRequest,
  propertiesWanted,
  unknownField,
  unknownParameter,
  unknownSort,
} from './list-request.js';
import type { ListSource } from './list-source.js';
import { countRows, readByIndexesOnly, readPlaces } from './page.queries.js';
import { Params } from './params.js';
import { unstatedProperty } from './known-properties.js';
import { sortSql } from './sort-sql.js';

/** A page of a list: the ids of its rows in their order, and how to go on. */
export interface Page {
  readonly ids: readonly string[];
  /** What the answer says of the page beside its rows. */
  readonly about: PageAbout;
}

/** See Page. */
export interface PageAbout {
  readonly limit: number;
  /** Missing where a cursor was handed in. */
  readonly offset?: number;
  readonly has_more: boolean;
  /** Hand it back as `cursor` for the next page; null on the last one. */
  readonly next_cursor: string | null;
  /** How many rows there are in all; only where it was asked for. */
  readonly count?: number;
}

/**
 * Reads which rows stand on a page.
 * @throws HubError `cursor_mismatch`; `unknown_query_param`, `unknown_sort`, or `invalid_request` naming `fields`, for
 *   a property that nobody in the workspace ever stated.
 */
export async function readPage(tx: Tx, source: ListSource, dialect: ListDialect, request: ListRequest): Promise<Page> {
  const { sort, limit, cursor, offset, hash } = request;
  const types = sortSql(source, sort, new Params()).keys.map(({ type }) => type);
  const after = cursor === undefined ? undefined : placeOf(cursor, hash, types);
  const [now, unstated] = await Promise.all([
    tx.now(),
    unstatedProperty(tx, new Set([...request.properties, ...propertiesWanted(dialect, request)])),
    isNarrowed(request) ? readByIndexesOnly(tx) : undefined,
  ]);
  if (unstated !== undefined) throw unknownIn(dialect, request, unstated);
  const selection = { filter: request.filter, sort, now };
  const places = await readPlaces(tx, source, selection, { after, offset, limit: limit + 1 });
  const count = request.count ? await countRows(tx, source, selection) : undefined;
  const shown = places.slice(0, limit);
  const hasMore = places.length > limit;
  const about: PageAbout = {
    limit,
    ...(cursor === undefined && { offset }),
    has_more: hasMore,
    next_cursor: hasMore ? cursorOf(shown.at(-1)!, hash) : null,
    ...(count !== undefined && { count }),
  };
  return { ids: shown.map(({ id }) => id), about };
}

function unknownIn(dialect: ListDialect, { properties, fields, sort }: ListRequest, unstated: string): HubError {
  if (!properties.has(unstated)) return unknownField(dialect, fields ?? [], unstated);
  const isSort = sort.some(({ field }) => field.kind === 'claim' && field.name === unstated);
  return isSort ? unknownSort(dialect.namedSorts) : unknownParameter(dialect, unstated);
}

function isNarrowed({ filter }: ListRequest): boolean {
  return !('all' in filter) || filter.all.length > 0;
}
