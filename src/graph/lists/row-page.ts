import type { Tx } from '#kernel/db/transaction.js';
import type { HubError } from '#kernel/errors/hub-error.js';
import {
  type CountMode,
  decodeListCursor,
  encodeListCursor,
  MAX_ESTIMATED_COUNT,
  unknownProperty,
} from './list-parameters.js';
import {
  type ListFields,
  type ListRequest,
  requestedProperties,
  unknownFieldError,
  unknownParameterError,
  unknownSortError,
} from './list-request.js';
import { type ListSource, countRows, readIndexOnly, readPageKeys, type RowSelection } from './page.queries.js';
import { SqlParams } from './sql-params.js';
import { sortSql } from './sort-sql.js';

/** A page of a list: the ids of its rows, in order, and its metadata. */
export interface RowPage {
  readonly ids: readonly string[];
  /** Fields of the response besides the rows. */
  readonly meta: PageMeta;
}

/** Position of a page in its list. */
export interface PageMeta {
  readonly limit: number;
  /** Missing if a cursor was given. */
  readonly offset?: number;
  readonly has_more: boolean;
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: string | null;
  /** Number of rows in the whole list; only if requested. */
  readonly count?: number;
  /** Whether the list has exactly that many rows, or more than were counted. */
  readonly count_is?: 'exact' | 'at_least';
}

/**
 * Reads the ids of a page.
 * @throws HubError `cursor_mismatch`; `unknown_query_param`, `unknown_sort`, or `invalid_request` naming `fields`, for
 *   a property that no observation of the workspace states.
 */
export async function readPage(
  tx: Tx,
  source: ListSource,
  listFields: ListFields,
  request: ListRequest,
): Promise<RowPage> {
  const { sort, limit, cursor, offset, hash } = request;
  const types = sortSql(source, sort, new SqlParams()).keys.map(({ type }) => type);
  const after = cursor === undefined ? undefined : decodeListCursor(cursor, hash, types);
  const [now] = await Promise.all([
    source.past?.now ?? tx.now(),
    requireKnownNames(tx, listFields, request),
    mayLackIndex(request) ? readIndexOnly(tx) : undefined,
  ]);
  const selection = { filter: request.filter, sort, now };
  const keys = await readPageKeys(tx, source, selection, { after, offset, limit: limit + 1 });
  const counted = request.count ? await countPageRows(tx, source, selection, request.count) : undefined;
  const page = keys.slice(0, limit);
  const hasMore = keys.length > limit;
  const meta: PageMeta = {
    limit,
    ...(cursor === undefined && { offset }),
    has_more: hasMore,
    next_cursor: hasMore ? encodeListCursor(page.at(-1)!, hash) : null,
    ...counted,
  };
  return { ids: page.map(({ id }) => id), meta };
}

async function countPageRows(
  tx: Tx,
  source: ListSource,
  selection: RowSelection,
  mode: CountMode,
): Promise<Pick<PageMeta, 'count' | 'count_is'>> {
  if (mode === 'all') return { count: await countRows(tx, source, selection), count_is: 'exact' };
  const count = await countRows(tx, source, selection, MAX_ESTIMATED_COUNT + 1);
  if (count <= MAX_ESTIMATED_COUNT) return { count, count_is: 'exact' };
  return { count: MAX_ESTIMATED_COUNT, count_is: 'at_least' };
}

/**
 * Checks that every property of a request was stated at least once; other names are taken for typing errors.
 * @throws HubError `unknown_query_param`, `unknown_sort`, or `invalid_request` naming the field
 */
export async function requireKnownNames(tx: Tx, listFields: ListFields, request: ListRequest): Promise<void> {
  const names = new Set([...request.properties, ...requestedProperties(listFields, request)]);
  const unknown = await unknownProperty(tx, names);
  if (unknown !== undefined) throw toUnknownNameError(listFields, request, unknown);
}

function toUnknownNameError(
  listFields: ListFields,
  { properties, fields, sort }: ListRequest,
  unknown: string,
): HubError {
  if (!properties.has(unknown)) return unknownFieldError(listFields, fields ?? [], unknown);
  const isSort = sort.some(({ field }) => field.kind === 'claim' && field.name === unknown);
  return isSort ? unknownSortError(listFields.namedSorts) : unknownParameterError(listFields, unknown);
}

/** Returns whether a list has a filter or a sort by confidence or freshness, which may have no index. */
function mayLackIndex({ filter, sort }: ListRequest): boolean {
  return !('all' in filter) || filter.all.length > 0 || sort.some(({ quality }) => quality !== undefined);
}
