import { HubError } from '#kernel/errors/hub-error.js';

/** The query as received: texts, or arrays of texts for repeated names. */
export type RawQuery = Readonly<Record<string, unknown>>;

/** Default and maximum number of rows per page. */
export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1_000;

/** Maximum offset; a cursor goes further. */
export const MAX_OFFSET = 10_000;

/**
 * Parts that can be added to a row. `all` is accepted for compatibility and adds nothing: every person is listed
 * anyway.
 */
export type Include = 'claims' | 'epistemics' | 'all';

const INCLUDES: readonly string[] = ['claims', 'epistemics', 'all'];
const FIELD = /^[a-z][a-z0-9_.-]{0,79}$/;
const MAX_FIELDS = 100;

/** Returns the text of a parameter that may occur once. @throws HubError `invalid_request`. */
export function readTextParam(name: string, value: unknown, maxLength: number): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  const message = Array.isArray(value)
    ? `${name} must not be repeated.`
    : `${name} must be a text of at most ${maxLength} characters.`;
  throw invalidParam(name, message);
}

/** Returns the page size; larger values are reduced to the maximum. */
export function readPageSize(value: unknown): number {
  return value === undefined ? DEFAULT_PAGE_SIZE : Math.min(readWholeNumber('limit', value, 1), MAX_PAGE_SIZE);
}

/**
 * Returns the number of rows to skip, from `offset` or from `page`, which starts at 1.
 * @throws HubError `offset_too_large`.
 */
export function readOffset(query: RawQuery, limit: number): number {
  const { offset, page, cursor } = query;
  if (offset === undefined && page === undefined) return 0;
  if (cursor !== undefined)
    throw invalidParam('cursor', 'cursor and offset or page cannot be sent together; send one.');
  const skipped =
    offset === undefined ? (readWholeNumber('page', page, 1) - 1) * limit : readWholeNumber('offset', offset, 0);
  if (skipped > MAX_OFFSET) throw new HubError('offset_too_large', { extra: { max: MAX_OFFSET } });
  return skipped;
}

/** Returns the names of the requested fields. */
export function readFields(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  const names = readTextParam('fields', value, 4_000)
    .split(',')
    .map(name => name.trim());
  if (names.length <= MAX_FIELDS && names.every(name => FIELD.test(name))) return names;
  throw invalidParam('fields', `fields must be a list such as "name,email,title" of at most ${MAX_FIELDS} names.`);
}

/** Returns the parts to add to a row. */
export function readIncludes(value: unknown): ReadonlySet<Include> {
  const names =
    value === undefined
      ? []
      : readTextParam('include', value, 200)
          .split(',')
          .map(name => name.trim());
  if (names.every(name => INCLUDES.includes(name))) return new Set(names as Include[]);
  throw invalidParam('include', `include must be a list of ${INCLUDES.join(', ')}.`);
}

/** Returns whether to count all rows. */
export function readCount(value: unknown): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw invalidParam('count', 'count must be true or false.');
}

function readWholeNumber(name: string, value: unknown, min: number): number {
  const text = readTextParam(name, value, 20);
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= min) return number;
  throw invalidParam(name, `${name} must be a whole number of at least ${min}.`);
}

function invalidParam(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
