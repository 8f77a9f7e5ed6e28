import { isPlainObject } from '#domain/observation/value-issue.js';
import { truncate } from '#domain/observation/truncate.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/errors/unknown-fields.js';

/** Most rows of one call, and most values of each of the three lists. */
export const MAX_DEDUP_ROWS = 5_000;
export const MAX_DEDUP_VALUES = 50_000;

/** Days within which outreach counts as engaged, where the caller does not say, and the most that can be asked. */
export const DEFAULT_WINDOW_DAYS = 90;
export const MAX_WINDOW_DAYS = 3_650;

/** The identifiers of a row, by the field they stand in. */
export type RowIdentifiers = Readonly<Partial<Record<RowField, JsonValue>>>;

/** Fields that tell who a row means. */
export const ROW_FIELDS = ['email', 'linkedin_url', 'domain'] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** A row as it was sent. */
export interface DedupRow {
  readonly texts: RowIdentifiers;
  readonly ref: string | number | null;
  /** Of a value in one of the three lists: which list it is from. */
  readonly kind?: RowField;
}

/** A checked request to tell rows apart. */
export interface DedupRequest extends DedupOptions {
  readonly rows: readonly DedupRow[];
}

/** What counts as engaged. */
export interface DedupOptions {
  readonly windowDays: number;
  /** Whether being in a list counts. */
  readonly includeLists: boolean;
  /** A list that does not count: the one that is being filled. */
  readonly exceptList: string | undefined;
}

const LISTS = { emails: 'email', linkedin_urls: 'linkedin_url', domains: 'domain' } as const;
/** What a row may hold. Names tell nobody apart, but rows have them. */
const ROW_PROPERTIES: readonly string[] = [...ROW_FIELDS, 'name', 'company', 'ref'];
const OPTIONS = ['engaged_window_days', 'include_lists', 'exclude_list_id'];
const FIELDS = ['rows', ...Object.keys(LISTS), ...OPTIONS];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Reads the body of a dedup call, from whichever door: `rows`, or `emails`, `linkedin_urls`, `domains`.
 * @throws HubError `identifiers_required`, `too_many`, `invalid_list_id`, `invalid_request`.
 */
export function readDedupRequest(body: unknown): DedupRequest {
  const fields = isPlainObject(body) ? body : {};
  const unknown = findUnknownFields(fields, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  return {
    rows: readRows(fields),
    windowDays: readWindowDays(fields),
    includeLists: readIncludeLists(fields),
    exceptList: readExcludedListId(fields),
  };
}

function readRows(fields: Fields): DedupRow[] {
  const named = Object.entries(LISTS).flatMap(([list, kind]) =>
    readList(fields, list, MAX_DEDUP_VALUES).map(value => ({ texts: { [kind]: value }, ref: null, kind })),
  );
  const rows = readList(fields, 'rows', MAX_DEDUP_ROWS).map(readDedupRow);
  if (rows.length > 0 && named.length > 0)
    throw invalidField('rows', 'Send rows, or emails, linkedin_urls and domains.');
  if (rows.length + named.length === 0) throw new HubError('identifiers_required');
  return rows.length > 0 ? rows : named;
}

function readList(fields: Fields, field: string, max: number): readonly JsonValue[] {
  const list = fields[field] ?? [];
  if (!Array.isArray(list)) throw invalidField(field, `${field} must be a list.`);
  if (list.length > max) throw HubError.tooMany(field, max);
  return list;
}

function readDedupRow(row: JsonValue, index: number): DedupRow {
  if (!isPlainObject(row))
    throw invalidField(`rows[${index}]`, `rows[${index}] must be an object such as {"email": "ada@acme.com"}.`);
  const [unknown] = findUnknownFields(row, ROW_PROPERTIES);
  if (unknown) throw invalidField(`rows[${index}].${truncate(unknown.field)}`, unknown.message);
  const { ref = null } = row;
  const isRef = ref === null || typeof ref === 'number' || (typeof ref === 'string' && ref.length <= 512);
  if (!isRef) throw invalidField(`rows[${index}].ref`, 'ref must be a text of at most 512 characters, or a number.');
  return { texts: Object.fromEntries(ROW_FIELDS.map(field => [field, row[field] ?? null])), ref };
}

function readWindowDays(fields: Fields): number {
  const days = fields['engaged_window_days'] ?? DEFAULT_WINDOW_DAYS;
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_WINDOW_DAYS) return days;
  throw invalidField('engaged_window_days', `engaged_window_days must be a whole number from 1 to ${MAX_WINDOW_DAYS}.`);
}

function readIncludeLists(fields: Fields): boolean {
  const include = fields['include_lists'] ?? true;
  if (typeof include === 'boolean') return include;
  throw invalidField('include_lists', 'include_lists must be true or false.');
}

function readExcludedListId(fields: Fields): string | undefined {
  const id = fields['exclude_list_id'] ?? undefined;
  if (id === undefined) return undefined;
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
  const message = 'exclude_list_id must be the UUID of a lead list.';
  throw new HubError('invalid_list_id', { detail: message, details: [{ field: 'exclude_list_id', message }] });
}

function invalidField(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
