import { validate as isUuid } from 'uuid';
import { isPropertyName } from '#domain/observation/parse-observation.js';
import { isPlainObject, type ObservationProblem } from '#domain/observation/observation.js';
import { type ObservationOrigin, parsePerson } from '#domain/people/parse-person.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { requireObject } from '../people/person-request.js';
import type { PersonWriteInput } from '../people/person.writer.js';
import type { ListKey } from './lead-lists.queries.js';
import { attribute, requireOwnSource } from '../observations/author.js';

/** Maximum number of rows per call. */
export const MAX_LEAD_ROWS = 1_000;

/** A row to add: the facts of its person and lead, or why it is invalid. */
export type LeadInput =
  | { readonly person: PersonWriteInput; readonly columns: LeadAttributes; readonly identifier: string | null }
  | { readonly problems: readonly ObservationProblem[]; readonly identifier: string | null };

/** Columns of the lead that a row sets. */
export interface LeadAttributes {
  readonly status: string;
  readonly stage: string | null;
  readonly step: string | null;
  readonly send_variant: string | null;
  readonly is_repeat_contact: boolean;
  readonly features: object;
  readonly fields: object;
  readonly original: object;
}

/** A validated request to add rows to a list. */
export interface AddLeadsInput {
  readonly list: ListKey;
  readonly source: string;
  readonly rows: readonly LeadInput[];
  /** Whether to add people again who are already in the list. */
  readonly importDuplicates: boolean;
  readonly score: boolean;
  /** Whether to classify each row for outreach. */
  readonly dedup: boolean;
  /** Whether to return the results without adding rows. */
  readonly dryRun: boolean;
  /** Names of the columns of the rows. */
  readonly columns: readonly string[];
  /** Whether to publish `contact.imported` for the people who are added. */
  readonly publishImported: boolean;
}

const RESERVED_FIELDS = new Set([
  ...'list list_id lead_list_id leads name_of_list importDuplicates import_duplicates dry_run'.split(' '),
  ...'contact_id entity_id send_variant is_repeat_contact features fields custom status stage step source'.split(' '),
]);

/**
 * Reads the body of POST /v2/leads: one flat row, or `leads`.
 * @throws HubError `list_id_required`, `leads_array_required`, `identifier_required`, `invalid_request` and others.
 */
export async function readAddLeadsInput(body: unknown): Promise<AddLeadsInput> {
  const { leads, ...row } = requireObject(body);
  if (leads !== undefined && (!Array.isArray(leads) || leads.length === 0)) throw new HubError('leads_array_required');
  const rows: unknown[] = Array.isArray(leads) ? leads : [row];
  if (rows.length > MAX_LEAD_ROWS) throw HubError.tooMany('leads', MAX_LEAD_ROWS);
  const source = requireOwnSource(readShortText(row, 'source') ?? 'list');
  const listId = row['list_id'] ?? row['lead_list_id'];
  const name = readShortText(row, 'list');
  if (listId == null && name === undefined) throw new HubError('list_id_required');
  const list = listId == null ? { name: name!, source: 'manual' } : { id: parseListId(listId) };
  const inputs = await mapYielding(rows, each => parseLeadInput(each, { source, method: 'api' }, false), unitsOf);
  const [only] = inputs;
  if (leads === undefined && only && 'problems' in only) throw toRowError(only.problems);
  const importDuplicates = readBoolean(row, 'importDuplicates') ?? readBoolean(row, 'import_duplicates') ?? false;
  const dryRun = readBoolean(row, 'dry_run') ?? false;
  return {
    list,
    source,
    rows: inputs,
    importDuplicates,
    score: true,
    dedup: false,
    dryRun,
    columns: collectColumns(rows),
    publishImported: isCsvSource(source),
  };
}

/**
 * Reads the body of POST /v2/lead-lists/attach.
 * @throws HubError `rows_required`, `batch_too_large`, `name_or_lead_list_id_required`.
 */
export async function readAttachInput(body: unknown): Promise<AddLeadsInput> {
  const fields = requireObject(body);
  rejectUnknownFields(fields);
  const { rows } = fields;
  if (!Array.isArray(rows) || rows.length === 0) throw new HubError('rows_required');
  if (rows.length > MAX_LEAD_ROWS) throw HubError.batchTooLarge('rows', MAX_LEAD_ROWS);
  const source = requireOwnSource(readShortText(fields, 'source') ?? 'external');
  const id = fields['lead_list_id'] ?? fields['list_id'];
  const name = readShortText(fields, 'name');
  if (id == null && name === undefined) throw new HubError('name_or_lead_list_id_required');
  const list =
    id == null ? { name: name!, source, externalId: readShortText(fields, 'external_id') } : { id: parseListId(id) };
  const mapping = parseMapping(fields['mapping']);
  return {
    list,
    source,
    rows: await mapYielding(
      rows as unknown[],
      row => parseLeadInput(row, { source, method: 'attach' }, true, mapping),
      unitsOf,
    ),
    importDuplicates: readBoolean(fields, 'import_duplicates') ?? false,
    score: readBoolean(fields, 'score') ?? true,
    dedup: readBoolean(fields, 'dedup') ?? false,
    dryRun: readBoolean(fields, 'dry_run') ?? false,
    columns: collectColumns(rows),
    publishImported: isCsvSource(source),
  };
}

/** Returns a request whose rows are stated in the name of the signed-in person, if there is one. */
export function attributeLeads(request: AddLeadsInput): AddLeadsInput {
  const rows = request.rows.map(row => ('person' in row ? { ...row, person: attribute(row.person) } : row));
  return { ...request, rows };
}

/** Parses the id of a list. @throws HubError `invalid_list_id`. */
export function parseListId(value: unknown): string {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw new HubError('invalid_list_id');
}

/** Returns whether rows come from a file, by the family of their source. */
function isCsvSource(source: string): boolean {
  return /^csv\b/i.test(source);
}

/** Returns whether a name is a field of a row: of the lead, or a property of the person. */
function isFieldName(name: string): boolean {
  return isPropertyName(name) || RESERVED_FIELDS.has(name);
}

/** Returns the work units of a row: each field is read, checked and turned into an observation. */
function unitsOf(row: unknown): number {
  return isPlainObject(row) ? (1 + Object.keys(row).length) * ITEM_UNITS : ITEM_UNITS;
}

/** Parses a row. A table may have columns that are no properties: they are stored with the lead and state nothing. */
function parseLeadInput(
  raw: unknown,
  origin: ObservationOrigin,
  table: boolean,
  mapping?: ReadonlyMap<string, string>,
): LeadInput {
  if (!isPlainObject(raw))
    return { problems: [{ field: 'row', message: 'A row must be an object.' }], identifier: null };
  const mapped = mapping ? Object.fromEntries(Object.entries(raw).map(([k, v]) => [mapping.get(k) ?? k, v])) : raw;
  const row = table ? Object.fromEntries(Object.entries(mapped).filter(([name]) => isFieldName(name))) : mapped;
  const problems: ObservationProblem[] = [];
  const person = parsePerson(
    row,
    { origin, now: Date.now() * 1_000, reserved: RESERVED_FIELDS, placeholders: 'ignore' },
    problems,
  );
  const contact = row['contact_id'] ?? row['entity_id'];
  if (contact != null && !(typeof contact === 'string' && isUuid(contact)))
    problems.push({ field: 'contact_id', message: 'contact_id must be the UUID of an entity.' });
  const columns = parseAttributes(row, raw, problems);
  const identifying = [row['email'], row['linkedin_url'], row['domain'], contact].find(
    each => typeof each === 'string',
  );
  const identifier = typeof identifying === 'string' ? identifying.slice(0, 320) : null;
  if (problems.length > 0) return { problems, identifier };
  if (person.identifiers.length === 0 && contact == null)
    return {
      problems: [{ field: 'email', message: 'A row needs an address, a profile or another identifier.' }],
      identifier,
    };
  return {
    person: { ...person, ...(typeof contact === 'string' && { entityId: contact.toLowerCase() }) },
    columns,
    identifier,
  };
}

function parseAttributes(
  row: Record<string, unknown>,
  original: object,
  problems: ObservationProblem[],
): LeadAttributes {
  const text = (field: string): string | null => {
    const value = row[field] ?? null;
    if (value === null || (typeof value === 'string' && value.length <= 200)) return value;
    problems.push({ field, message: `${field} must be a text of at most 200 characters.` });
    return null;
  };
  const object = (field: string): object => {
    const value = row[field] ?? {};
    if (isPlainObject(value)) return value;
    problems.push({ field, message: `${field} must be an object.` });
    return {};
  };
  const repeat = row['is_repeat_contact'] ?? false;
  if (typeof repeat !== 'boolean')
    problems.push({ field: 'is_repeat_contact', message: 'is_repeat_contact must be true or false.' });
  return {
    status: (text('status') ?? '').trim() || 'pending',
    stage: text('stage'),
    step: text('step'),
    send_variant: text('send_variant'),
    is_repeat_contact: repeat === true,
    features: object('features'),
    fields: { ...object('custom'), ...object('fields') },
    original,
  };
}

function toRowError(problems: readonly ObservationProblem[]): HubError {
  const isUnidentified = problems.length === 1 && problems[0]!.message.startsWith('A row needs');
  return isUnidentified ? new HubError('identifier_required') : HubError.invalidRequest(problems);
}

function collectColumns(rows: readonly unknown[]): string[] {
  const names = new Set(rows.flatMap(row => (isPlainObject(row) ? Object.keys(row) : [])));
  return [...names].filter(name => name.length <= 200 && !RESERVED_FIELDS.has(name)).slice(0, 500);
}

function parseMapping(value: unknown): ReadonlyMap<string, string> | undefined {
  if (value == null) return undefined;
  const entries = isPlainObject(value) ? Object.entries(value) : [];
  if (
    entries.length > 0 &&
    entries.length <= 500 &&
    entries.every(([, to]) => typeof to === 'string' && isFieldName(to))
  )
    return new Map(entries as [string, string][]);
  const message = 'mapping must name a field for each column, such as {"E-Mail": "email"}.';
  throw HubError.invalidRequest([{ field: 'mapping', message }]);
}

const ATTACH_FIELDS =
  'name lead_list_id list_id source external_id rows mapping score dedup import_duplicates dry_run'.split(' ');

function rejectUnknownFields(body: Record<string, unknown>): void {
  const unknown = findUnknownFields(body, ATTACH_FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
}

const MAX_TEXT_LENGTH = 200;

/** Returns a short text of a body; undefined if it is missing. @throws HubError `invalid_request`. */
export function readShortText(body: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT_LENGTH) return value.trim();
  throw HubError.invalidRequest([{ field, message: `${field} must be a text of 1 to ${MAX_TEXT_LENGTH} characters.` }]);
}

/** Returns a boolean of a body; undefined if it is missing. @throws HubError `invalid_request`. */
export function readBoolean(body: Readonly<Record<string, unknown>>, field: string): boolean | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw HubError.invalidRequest([{ field, message: `${field} must be true or false.` }]);
}
