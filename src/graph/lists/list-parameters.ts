import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { defaultRules } from '#domain/claims/rules.js';
import { listVocabulary } from '#domain/vocabulary/vocabulary.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { PageKey, SortValue } from './sort-sql.js';
import type { ListColumn } from './page.queries.js';

/** Properties that rows show, or that mean something. They can be requested before any observation states them. */
const WELL_KNOWN_PROPERTIES = new Set([
  ...Object.keys(defaultRules.properties),
  ...listVocabulary().properties.map(({ name }) => name),
  ...'first_name last_name department city country region photo_url source enriched_at'.split(' '),
  ...'icp_score intent_score channels plan role company_type size'.split(' '),
]);

/**
 * Returns the first of these properties that is neither well known nor stated by any observation of the workspace;
 * undefined if all are known.
 */
export async function unknownProperty(tx: Tx, properties: ReadonlySet<string>): Promise<string | undefined> {
  const unusual = [...properties].filter(property => !WELL_KNOWN_PROPERTIES.has(property));
  if (unusual.length === 0) return undefined;
  const [row] = await tx.query<{ property: string }>(
    `SELECT requested.property FROM unnest($2::text[]) AS requested (property)
     WHERE NOT EXISTS (SELECT FROM claims c WHERE c.workspace_id = $1 AND c.property = requested.property)`,
    [tx.workspace, unusual],
  );
  return row?.property;
}

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

/** Number of rows up to which an estimate counts. */
export const MAX_ESTIMATED_COUNT = 10_000;

/** How the rows of a list are counted: all of them, or up to {@link MAX_ESTIMATED_COUNT}. */
export type CountMode = 'all' | 'estimate';

/** Returns how to count the rows; undefined: not at all. */
export function readCount(value: unknown): CountMode | undefined {
  if (value === undefined || value === 'false') return undefined;
  if (value === 'true') return 'all';
  if (value === 'estimate') return 'estimate';
  throw invalidParam('count', 'count must be true, false or estimate.');
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

/** Bound of instants in cursors, in microseconds from 1970: the year 2200. */
const MAX_INSTANT_MICROS = 7_289_654_400_000_000;

/** Hashes what identifies a list: its path, its filter as given, and its order. */
export function hashList(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** Encodes a page key as an opaque cursor. */
export function encodeListCursor({ values, id }: PageKey, hash: string): string {
  return Buffer.from(JSON.stringify([hash, values, id])).toString('base64url');
}

/** Decodes a cursor. @throws HubError `cursor_mismatch` for a cursor of another filter or order, or an invalid one. */
export function decodeListCursor(cursor: string, hash: string, types: readonly ListColumn['type'][]): PageKey {
  const [cursorHash, values, id] = parseParts(cursor);
  const isValid = cursorHash === hash && typeof id === 'string' && isUuid(id) && Array.isArray(values);
  if (!isValid || values.length !== types.length || !values.every((value, i) => isOfType(types[i]!, value)))
    throw new HubError('cursor_mismatch');
  return { values: values as SortValue[], id };
}

/** Returns whether a value can be compared with a column of that type. Callers may send any cursor. */
function isOfType(type: ListColumn['type'], value: unknown): boolean {
  if (value === null) return true;
  if (type === 'float8') return Number.isFinite(value);
  if (type === 'int4') return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  if (type === 'timestamptz') return typeof value === 'number' && Math.abs(value) <= MAX_INSTANT_MICROS;
  if (type === 'bool') return typeof value === 'boolean';
  return typeof value === 'string' && (type === 'uuid' ? isUuid(value) : !value.includes('\0'));
}

function parseParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const text = (maxLength: number, more: object = {}) => ({ type: 'string', maxLength, ...more }) as const;
const integer = (minimum: number, maximum: number, more: object = {}) =>
  ({ type: 'integer', minimum, maximum, ...more }) as const;

/** Parameters that every list has: name, description and schema. */
const COMMON_PARAMETERS: readonly [string, string, object][] = [
  [
    'filter',
    'Conditions as JSON on fields and properties: `$eq $ne $in $nin $contains $starts_with $gt $gte $lt $lte $exists`, ' +
      'and on their claims: `freshness`, `confidence`, `epistemic_class`, `last_observed_at`, `refresh_due_at`, `source`, ' +
      '`only_source`. Combine them with `$and $or $not`. Times may be relative (`-30d`). A single field or property also works as a parameter of its ' +
      'own: `?title=CTO`. Example: `{"title":{"$contains":"vp","freshness":"fresh","confidence":{"$gte":0.7}}}`.',
    text(16_384),
  ],
  [
    'sort',
    'Up to three fields, separated by commas; `-` sorts descending: `-icp_score,name`. `title.confidence` sorts by how ' +
      'sure a property is, `title.freshness` by how recently it was supported. Rows without a value come last.',
    text(300),
  ],
  [
    'limit',
    'Maximum number of rows on a page. Values above the maximum are treated as the maximum.',
    integer(1, MAX_PAGE_SIZE, { default: DEFAULT_PAGE_SIZE }),
  ],
  ['cursor', '`next_cursor` of the previous page, with the same filter and sort.', text(2_000)],
  [
    'offset',
    'Number of rows to skip. Prefer `cursor`, which stays stable while rows are added.',
    integer(0, MAX_OFFSET),
  ],
  ['page', 'Page number, starting at 1, as an alternative to `offset`.', integer(1, MAX_OFFSET)],
  [
    'fields',
    'Return only these fields, separated by commas, such as `name,email`. Names of properties that the workspace has ' +
      'recorded are accepted too.',
    text(4_000),
  ],
  [
    'include',
    '`claims` adds all claims of each row; `epistemics` adds the confidence and freshness of the fields of the row, or of ' +
      'those that `fields` names.',
    text(200),
  ],
  [
    'as_of',
    'Return the facts of the rows as they were in effect at this time, ISO 8601. Filters and sorts read them as they ' +
      'were, too, if id, email, linkedin_url, domain, account, list_id and created_at leave at most 1000 entities. ' +
      'Lead columns and merges are as they are now. At most 100 rows per page.',
    text(40, { format: 'date-time' }),
  ],
  [
    'known_at',
    'Use only what had been recorded by this time, ISO 8601. Limits as for `as_of`.',
    text(40, { format: 'date-time' }),
  ],
  [
    'count',
    'Whether to return the number of matching rows. `true` reads all of them, which takes longer; `estimate` counts up ' +
      `to ${MAX_ESTIMATED_COUNT} and says in \`count_is\` whether there are more.`,
    { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['estimate'] }], default: false },
  ],
];

/** Parameters that an export has instead of those that choose a page. */
const EXPORT_PARAMETERS: typeof COMMON_PARAMETERS = [
  ...COMMON_PARAMETERS.filter(([name]) => ['filter', 'fields', 'as_of', 'known_at'].includes(name)),
  [
    'sort',
    'Up to three fields, separated by commas; `-` sorts descending: `-icp_score,name`. Default: `-created_at`. A row ' +
      'whose sort value changes during the export may be missing or appear twice.',
    text(300),
  ],
  [
    'include',
    '`epistemics` adds the confidence, freshness and source of each column that is a claim: `title_confidence`, ' +
      '`title_freshness` and `title_source` after `title`. With `as_of` or `known_at`, sources are empty.',
    text(200),
  ],
  [
    'format',
    'Format of the file: `csv` or `ndjson`, one JSON object per line.',
    { type: 'string', enum: ['csv', 'ndjson'], default: 'csv' },
  ],
];

/** Describes the query of a list in the OpenAPI document. @param own descriptions of further parameters by name. */
export function ListParameters(own: Readonly<Record<string, string>>): MethodDecorator {
  return describeQuery(COMMON_PARAMETERS, own);
}

/** Describes the query of the export of a list. @param own descriptions of further parameters of the list by name. */
export function ListExportParameters(own: Readonly<Record<string, string>>): MethodDecorator {
  return describeQuery(EXPORT_PARAMETERS, own);
}

function describeQuery(common: typeof COMMON_PARAMETERS, own: Readonly<Record<string, string>>): MethodDecorator {
  const further = Object.entries(own).map(([name, description]) => [name, description, text(1_000)] as const);
  return applyDecorators(
    ...[...common, ...further].map(([name, description, schema]) =>
      ApiQuery({ name, description, required: false, schema }),
    ),
  );
}
