import { HubError } from '#kernel/errors/hub-error.js';

/** The query as it arrives: texts, or lists of texts where a name stood twice. */
export type RawQuery = Readonly<Record<string, unknown>>;

/** Rows on a page, unless the caller says otherwise, and at most. */
export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1_000;

/** Rows that may be skipped; beyond them a cursor is the way. */
export const MAX_OFFSET = 10_000;

/** What can be added to a row. `all` is accepted and adds nothing: every person is listed anyway. */
export type Include = 'claims' | 'epistemics' | 'all';

const INCLUDES: readonly string[] = ['claims', 'epistemics', 'all'];
const FIELD = /^[a-z][a-z0-9_.-]{0,79}$/;
const MAX_FIELDS = 100;

/** A parameter that stands once. @throws HubError `invalid_request`. */
export function readTextParam(name: string, given: unknown, longest: number): string {
  if (typeof given === 'string' && given.length <= longest) return given;
  const message = Array.isArray(given)
    ? `${name} must stand once.`
    : `${name} is a text of at most ${longest} characters.`;
  throw invalidParam(name, message);
}

/** Rows on a page: more than the most is taken as the most. */
export function readPageSize(given: unknown): number {
  return given === undefined ? DEFAULT_PAGE_SIZE : Math.min(readWholeNumber('limit', given, 1), MAX_PAGE_SIZE);
}

/** Rows to skip, by `offset` or by `page`, which counts from 1. @throws HubError `offset_too_large`. */
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

/** The names of wanted fields. */
export function readFields(given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  const names = readTextParam('fields', given, 4_000)
    .split(',')
    .map(name => name.trim());
  if (names.length <= MAX_FIELDS && names.every(name => FIELD.test(name))) return names;
  throw invalidParam('fields', `fields is a list such as "name,email,title" of at most ${MAX_FIELDS} names.`);
}

/** What shall be added to a row. */
export function readIncludes(given: unknown): ReadonlySet<Include> {
  const names =
    given === undefined
      ? []
      : readTextParam('include', given, 200)
          .split(',')
          .map(name => name.trim());
  if (names.every(name => INCLUDES.includes(name))) return new Set(names as Include[]);
  throw invalidParam('include', `include is a list of ${INCLUDES.join(', ')}.`);
}

/** Whether all rows shall be counted. */
export function readCount(given: unknown): boolean {
  if (given === undefined || given === 'false') return false;
  if (given === 'true') return true;
  throw invalidParam('count', 'count is true or false.');
}

function readWholeNumber(name: string, given: unknown, least: number): number {
  const text = readTextParam(name, given, 20);
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= least) return number;
  throw invalidParam(name, `${name} must be a whole number of at least ${least}.`);
}

function invalidParam(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
