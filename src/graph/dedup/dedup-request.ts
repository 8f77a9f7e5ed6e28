import { isPlainObject, type JsonValue } from '#domain/observation/observation.js';
import { truncate } from '#domain/observation/summary.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';
import { toIdentifier, type Identifier, type IdentifierFocus, parseFocus } from '#domain/identity/focus.js';
import { isOwnDomain } from '#domain/identity/web-address.js';
import { findWorkDomain, stripTag } from '#domain/identity/email.js';
import { errorTable } from '#kernel/errors/error-table.js';

/** Maximum number of rows of a call, and of values of each of the three lists. */
export const MAX_DEDUP_ROWS = 5_000;
export const MAX_DEDUP_VALUES = 50_000;

/** Default and maximum number of days within which an activity counts as engaged. */
export const DEFAULT_WINDOW_DAYS = 90;
export const MAX_WINDOW_DAYS = 3_650;

/** The identifiers of a row, by field. */
export type RowIdentifiers = Readonly<Partial<Record<RowField, JsonValue>>>;

/** Fields that identify a row. */
export const ROW_FIELDS = ['email', 'linkedin_url', 'domain'] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** A row as sent. */
export interface DedupRow {
  readonly identifiers: RowIdentifiers;
  readonly ref: string | number | null;
  /** Set for a value of one of the three lists: the field of that list. */
  readonly kind?: RowField;
}

/** A validated request to classify rows. */
export interface DedupRequest extends DedupOptions {
  readonly rows: readonly DedupRow[];
}

/** Options that decide what counts as engaged. */
export interface DedupOptions {
  readonly windowDays: number;
  /** Whether membership in a lead list counts. */
  readonly includeLists: boolean;
  /** A list that does not count, usually the one that is being filled. */
  readonly excludedListId: string | undefined;
}

const LISTS = { emails: 'email', linkedin_urls: 'linkedin_url', domains: 'domain' } as const;
/** Fields of a row. `name` and `company` are accepted and ignored, because exported rows have them. */
const ROW_PROPERTIES: readonly string[] = [...ROW_FIELDS, 'name', 'company', 'ref'];
const OPTIONS = ['engaged_window_days', 'include_lists', 'exclude_list_id'];
const FIELDS = ['rows', ...Object.keys(LISTS), ...OPTIONS];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Validates the body of a REST or tool call: either `rows`, or `emails`, `linkedin_urls` and `domains`.
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
    excludedListId: readExcludedListId(fields),
  };
}

function readRows(fields: Fields): DedupRow[] {
  const values = Object.entries(LISTS).flatMap(([list, kind]) =>
    readList(fields, list, MAX_DEDUP_VALUES).map(value => ({ identifiers: { [kind]: value }, ref: null, kind })),
  );
  const rows = readList(fields, 'rows', MAX_DEDUP_ROWS).map(readDedupRow);
  if (rows.length > 0 && values.length > 0)
    throw HubError.invalidField('rows', 'Send rows, or emails, linkedin_urls and domains.');
  if (rows.length + values.length === 0) throw new HubError('identifiers_required');
  return rows.length > 0 ? rows : values;
}

function readList(fields: Fields, field: string, max: number): readonly JsonValue[] {
  const list = fields[field] ?? [];
  if (!Array.isArray(list)) throw HubError.invalidField(field, `${field} must be a list.`);
  if (list.length > max) throw HubError.tooMany(field, max);
  return list;
}

function readDedupRow(row: JsonValue, index: number): DedupRow {
  if (!isPlainObject(row))
    throw HubError.invalidField(
      `rows[${index}]`,
      `rows[${index}] must be an object such as {"email": "ada@acme.com"}.`,
    );
  const [unknown] = findUnknownFields(row, ROW_PROPERTIES);
  if (unknown) throw HubError.invalidField(`rows[${index}].${truncate(unknown.field)}`, unknown.message);
  const { ref = null } = row;
  const isRef = ref === null || typeof ref === 'number' || (typeof ref === 'string' && ref.length <= 512);
  if (!isRef)
    throw HubError.invalidField(`rows[${index}].ref`, 'ref must be a text of at most 512 characters, or a number.');
  return { identifiers: Object.fromEntries(ROW_FIELDS.map(field => [field, row[field] ?? null])), ref };
}

function readWindowDays(fields: Fields): number {
  const days = fields['engaged_window_days'] ?? DEFAULT_WINDOW_DAYS;
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_WINDOW_DAYS) return days;
  throw HubError.invalidField(
    'engaged_window_days',
    `engaged_window_days must be a whole number from 1 to ${MAX_WINDOW_DAYS}.`,
  );
}

function readIncludeLists(fields: Fields): boolean {
  const include = fields['include_lists'] ?? true;
  if (typeof include === 'boolean') return include;
  throw HubError.invalidField('include_lists', 'include_lists must be true or false.');
}

function readExcludedListId(fields: Fields): string | undefined {
  const id = fields['exclude_list_id'] ?? undefined;
  if (id === undefined) return undefined;
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
  const message = 'exclude_list_id must be the UUID of a lead list.';
  throw new HubError('invalid_list_id', { detail: message, details: [{ field: 'exclude_list_id', message }] });
}

/** A row with at least one usable identifier. */
export interface IdentifiedRow {
  /** In the order e-mail, LinkedIn, domain; a domain identifies the row only if it has nothing else. */
  readonly identifiers: readonly Identifier[];
  /** Key of its e-mail address. */
  readonly email: string | undefined;
  /** Its e-mail address without the tag behind a `+`, which most servers deliver to the same mailbox. */
  readonly untagged?: Identifier | undefined;
  /** Registrable domain whose opt-out would apply to the row. */
  readonly domain: string | undefined;
}

/** The reason why a row cannot be identified. */
export interface RowIssue {
  readonly error: 'identifier_required' | 'invalid_identifier' | 'own_domain';
  readonly detail: string;
}

/** What a row matched by if its address is known without its tag only. */
export const UNTAGGED_EMAIL = 'email_without_tag';

const FORMS = { email: 'email', linkedin_url: 'linkedin', domain: 'domain' } as const;
const MAX_IDENTIFIER_LENGTH = 2_048;

/**
 * Parses the identifiers of a row. An invalid one is ignored if another one is valid.
 * @param ownDomains domains of the workspace itself; people there are colleagues, so the row is rejected.
 */
export function identifyRow(row: DedupRow, ownDomains: ReadonlySet<string>): IdentifiedRow | RowIssue {
  const issues: string[] = [];
  const found = ROW_FIELDS.flatMap(field => {
    const text = row.identifiers[field] ?? null;
    if (text === null || text === '') return [];
    const focus = typeof text === 'string' && text.length <= MAX_IDENTIFIER_LENGTH ? parseFocus(text) : undefined;
    if (focus && focus.form === FORMS[field]) return [focus];
    issues.push(focus?.form === 'invalid' ? focus.reason : `${field} is no ${fieldLabel(field)}.`);
    return [];
  });
  const people = found.filter(({ form }) => form !== 'domain');
  const identifiers = (people.length > 0 ? people : found).map(toIdentifier);
  if (identifiers.length === 0) {
    if (issues.length > 0) return { error: 'invalid_identifier', detail: issues[0]! };
    return {
      error: 'identifier_required',
      detail: 'A row needs email, linkedin_url or domain; names alone never match.',
    };
  }
  const mailbox = found.find(focus => focus.form === 'email');
  const site = found.find(focus => focus.form === 'domain');
  if (found.some(focus => isOwnDomain(focus as IdentifierFocus, ownDomains)))
    return { error: 'own_domain', detail: errorTable.own_domain.detail };
  const domain = site?.key ?? (mailbox && findWorkDomain(mailbox));
  return { identifiers, email: mailbox?.key, untagged: mailbox && removeTag(mailbox.value), domain };
}

function removeTag(address: string): Identifier | undefined {
  const at = address.lastIndexOf('@');
  const local = stripTag(address.slice(0, at));
  if (local === '' || local.length === at) return undefined;
  const focus = parseFocus(local + address.slice(at));
  return focus.form === 'email' ? toIdentifier(focus) : undefined;
}

function fieldLabel(field: RowField): string {
  return { email: 'e-mail address', linkedin_url: 'LinkedIn address', domain: 'domain' }[field];
}
