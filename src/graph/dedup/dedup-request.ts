import { isPlainObject } from '#domain/observation/json-check.js';
import { excerptOf } from '#domain/observation/excerpt.js';
import type { Json } from '#domain/observation/observation.js';
import { HubError } from '#kernel/errors/errors.js';
import { unknownFields } from '#kernel/errors/unknown-fields.js';

/** Most rows of one call, and most values of each of the three lists. */
export const MAX_ROWS = 5_000;
export const MAX_VALUES = 50_000;

/** Days within which outreach counts as engaged, where the caller does not say, and the most that can be asked. */
export const WINDOW_DAYS = 90;
export const MAX_WINDOW_DAYS = 3_650;

/** The identifiers of a row, by the field they stand in. */
export type RowText = Readonly<Partial<Record<RowField, Json>>>;

/** Fields that tell who a row means. */
export const ROW_FIELDS = ['email', 'linkedin_url', 'domain'] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** A row as it was sent. */
export interface AskedRow {
  readonly texts: RowText;
  readonly ref: string | number | null;
  /** Of a value in one of the three lists: which list it is from. */
  readonly kind?: RowField;
}

/** A checked request to tell rows apart. */
export interface DedupRequest extends DedupOptions {
  readonly rows: readonly AskedRow[];
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
const OF_ROW: readonly string[] = [...ROW_FIELDS, 'name', 'company', 'ref'];
const OPTIONS = ['engaged_window_days', 'include_lists', 'exclude_list_id'];
const FIELDS = ['rows', ...Object.keys(LISTS), ...OPTIONS];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Fields = Readonly<Record<string, Json>>;

/**
 * Reads the body of a dedup call, from whichever door: `rows`, or `emails`, `linkedin_urls`, `domains`.
 * @throws HubError `identifiers_required`, `too_many`, `invalid_list_id`, `invalid_request`.
 */
export function readDedupRequest(body: unknown): DedupRequest {
  const fields = isPlainObject(body) ? body : {};
  const unknown = unknownFields(fields, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  return {
    rows: rowsIn(fields),
    windowDays: windowIn(fields),
    includeLists: includeIn(fields),
    exceptList: listIn(fields),
  };
}

function rowsIn(fields: Fields): AskedRow[] {
  const named = Object.entries(LISTS).flatMap(([list, kind]) =>
    listOf(fields, list, MAX_VALUES).map(value => ({ texts: { [kind]: value }, ref: null, kind })),
  );
  const rows = listOf(fields, 'rows', MAX_ROWS).map(rowOf);
  if (rows.length > 0 && named.length > 0) throw refused('rows', 'Send rows, or emails, linkedin_urls and domains.');
  if (rows.length + named.length === 0) throw new HubError('identifiers_required');
  return rows.length > 0 ? rows : named;
}

function listOf(fields: Fields, field: string, max: number): readonly Json[] {
  const list = fields[field] ?? [];
  if (!Array.isArray(list)) throw refused(field, `${field} must be a list.`);
  if (list.length > max) throw HubError.tooMany(field, max);
  return list;
}

function rowOf(row: Json, index: number): AskedRow {
  if (!isPlainObject(row))
    throw refused(`rows[${index}]`, `rows[${index}] must be an object such as {"email": "ada@acme.com"}.`);
  const [unknown] = unknownFields(row, OF_ROW);
  if (unknown) throw refused(`rows[${index}].${excerptOf(unknown.field)}`, unknown.message);
  const { ref = null } = row;
  const isRef = ref === null || typeof ref === 'number' || (typeof ref === 'string' && ref.length <= 512);
  if (!isRef) throw refused(`rows[${index}].ref`, 'ref must be a text of at most 512 characters, or a number.');
  return { texts: Object.fromEntries(ROW_FIELDS.map(field => [field, row[field] ?? null])), ref };
}

function windowIn(fields: Fields): number {
  const days = fields['engaged_window_days'] ?? WINDOW_DAYS;
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_WINDOW_DAYS) return days;
  throw refused('engaged_window_days', `engaged_window_days must be a whole number from 1 to ${MAX_WINDOW_DAYS}.`);
}

function includeIn(fields: Fields): boolean {
  const include = fields['include_lists'] ?? true;
  if (typeof include === 'boolean') return include;
  throw refused('include_lists', 'include_lists must be true or false.');
}

function listIn(fields: Fields): string | undefined {
  const id = fields['exclude_list_id'] ?? undefined;
  if (id === undefined) return undefined;
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
  const message = 'exclude_list_id must be the UUID of a lead list.';
  throw new HubError('invalid_list_id', { detail: message, details: [{ field: 'exclude_list_id', message }] });
}

function refused(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
