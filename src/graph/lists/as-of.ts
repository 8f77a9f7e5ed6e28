import type { Field, Filter, SortKey } from '#domain/filters/filter.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type RawQuery, readTextParam } from './list-parameters.js';

/** A past time that a list is read as of. */
export interface PointInTime {
  /** Valid time: excludes observations with a later `observed_at`. */
  readonly asOf: Instant | undefined;
  /** System time: excludes observations that were recorded later. */
  readonly knownAt: Instant | undefined;
}

/** Maximum page size for past times: claims of each row are folded from the log. */
export const MAX_HISTORICAL_PAGE_SIZE = 100;

/** Kinds of fields that never change, so that they can filter past rows. */
const IMMUTABLE_KINDS = new Set<Field['kind']>(['uuid', 'email', 'linkedin', 'domain', 'account']);

/** Returns the time that a list is requested for; undefined: now. @throws HubError `invalid_request`. */
export function parseAsOf({ as_of, known_at }: RawQuery): PointInTime | undefined {
  if (as_of === undefined && known_at === undefined) return undefined;
  return { asOf: parseInstantParam('as_of', as_of), knownAt: parseInstantParam('known_at', known_at) };
}

/**
 * Rejects fields whose past values are not known: columns that are stored as of now. The values of claims, names and
 * activity are derived again from the log.
 * @param derived names of the columns that can be derived.
 * @throws HubError `invalid_request` naming the field.
 */
export function rejectFieldsWithoutPast(filter: Filter, sort: readonly SortKey[], derived: ReadonlySet<string>): void {
  const fields = [...collectFields(filter), ...sort.map(({ field }) => field)];
  const unknown = fields.find(field => !isImmutable(field) && field.kind !== 'claim' && !derived.has(field.name));
  if (!unknown) return;
  const message =
    `The past values of ${unknown.name} are not recorded. With as_of or known_at, lists are filtered and sorted by ` +
    `properties and by ${[...derived].join(', ')}, and filtered by id, list_id, email, linkedin_url, domain, account ` +
    'and created_at.';
  throw HubError.invalidRequest([{ field: unknown.name, message }]);
}

/** Returns whether a list reads fields that change over time. */
export function readsMutableFields(filter: Filter, sort: readonly SortKey[]): boolean {
  return [...collectFields(filter), ...sort.map(({ field }) => field)].some(field => !isImmutable(field));
}

/** Returns the conditions that all rows of a filter meet, and that do not change over time. */
export function pickImmutableConditions(filter: Filter): Filter {
  const parts = 'all' in filter ? filter.all : [filter];
  return { all: parts.filter(part => collectFields(part).every(isImmutable)) };
}

function isImmutable({ kind, name }: Field): boolean {
  return IMMUTABLE_KINDS.has(kind) || name === 'created_at' || (kind === 'text' && name === 'type');
}

function collectFields(filter: Filter): Field[] {
  if ('all' in filter) return filter.all.flatMap(collectFields);
  if ('any' in filter) return filter.any.flatMap(collectFields);
  return 'not' in filter ? collectFields(filter.not) : [filter.field];
}

function parseInstantParam(name: string, value: unknown): Instant | undefined {
  if (value === undefined) return undefined;
  const instant = parseInstant(readTextParam(name, value, 40));
  if (instant !== undefined) return instant;
  throw HubError.invalidRequest([{ field: name, message: `${name} must be an ISO 8601 time.` }]);
}
