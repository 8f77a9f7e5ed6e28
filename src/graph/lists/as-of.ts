import type { Field, Filter } from '#domain/filters/filter.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { SortKey } from '#domain/filters/sort.js';
import { type RawQuery, readTextParam } from './query-values.js';

/** Another time than now that a list is read as of. */
export interface PointInTime {
  /** Valid time: nothing observed later counts. */
  readonly asOf: Instant | undefined;
  /** System time: nothing recorded later counts. */
  readonly knownAt: Instant | undefined;
}

/** Rows on a page of the past, at most: their claims are folded from the log. */
export const MAX_HISTORICAL_PAGE_SIZE = 100;

/** What never changes about a row, so that it can be asked of the past. */
const IMMUTABLE_KINDS = new Set<Field['kind']>(['uuid', 'email', 'linkedin', 'account']);

/** The time that a list is asked for; undefined is now. @throws HubError `invalid_request`. */
export function parseAsOf({ as_of, known_at }: RawQuery): PointInTime | undefined {
  if (as_of === undefined && known_at === undefined) return undefined;
  return { asOf: parseInstantParam('as_of', as_of), knownAt: parseInstantParam('known_at', known_at) };
}

/**
 * Claims and activity are kept as they are now, so only what lasts can choose and order the rows of the past.
 * @throws HubError `invalid_request` naming what cannot be asked.
 */
export function rejectMutableFields(filter: Filter, sort: readonly SortKey[] = []): void {
  const fields = [...collectFields(filter), ...sort.map(({ field }) => field)];
  const changing = fields.find(field => !isImmutable(field));
  if (!changing) return;
  const message =
    `${changing.name} changes in time. With as_of or known_at, lists are filtered by id, list_id, email, linkedin_url, ` +
    'account and created_at, and sorted by created_at; the scope of POST /v2/query reads what was recorded when.';
  throw HubError.invalidRequest([{ field: changing.name, message }]);
}

function isImmutable({ kind, name }: Field): boolean {
  return IMMUTABLE_KINDS.has(kind) || name === 'created_at' || (kind === 'text' && name === 'type');
}

function collectFields(filter: Filter): Field[] {
  if ('all' in filter) return filter.all.flatMap(collectFields);
  if ('any' in filter) return filter.any.flatMap(collectFields);
  return 'not' in filter ? collectFields(filter.not) : [filter.field];
}

function parseInstantParam(name: string, given: unknown): Instant | undefined {
  if (given === undefined) return undefined;
  const instant = parseInstant(readTextParam(name, given, 40));
  if (instant !== undefined) return instant;
  throw HubError.invalidRequest([{ field: name, message: `${name} must be an ISO 8601 time.` }]);
}
