import { CliError } from '../base/errors.js';

/** A row in the format of `POST /v2/leads/bulk`. */
export interface ImportRow {
  [field: string]: unknown;
  fields?: Record<string, string>;
}

/** Fields by which the hub identifies the entity of a row. */
const IDENTIFIERS = new Set([
  'email',
  'personal_email',
  'secondary_email',
  'linkedin_url',
  'domain',
  'linkedin_member_id',
]);
const IDENTIFIER_LIKE = /_id$/;

/** Converts the cells of a line to a row. Empty cells are omitted. */
export function toImportRow(cells: readonly string[], columns: readonly ImportColumn[]): ImportRow {
  const row: ImportRow = {};
  const extra: Record<string, string> = {};
  columns.forEach(({ target }, index) => {
    const text = cells[index]?.trim() ?? '';
    if (text === '' || 'left' in target) return;
    if ('extra' in target) extra[target.extra] = text;
    else row[target.field] = parseCell(target.field, text);
  });
  const { first_name: first, last_name: last } = row;
  const name = [first, last].filter(Boolean).join(' ');
  if (row['name'] === undefined && name !== '') row['name'] = name;
  if (Object.keys(extra).length > 0) row.fields = extra;
  return row;
}

/** Checks whether at least one column is an identifier. */
export function hasIdentifier(columns: readonly ImportColumn[]): boolean {
  return columns.some(
    ({ target }) => 'field' in target && (IDENTIFIERS.has(target.field) || IDENTIFIER_LIKE.test(target.field)),
  );
}

/**
 * Returns an error for excess cells; undefined if there are none. Spreadsheets omit empty cells at the end of a line.
 */
export function validateShape(cells: readonly string[], columns: readonly ImportColumn[]): string | undefined {
  const extra = cells.slice(columns.length).some(cell => cell.trim() !== '');
  return extra ? `The line has ${cells.length} cells and the header ${columns.length}.` : undefined;
}

function parseCell(field: string, text: string): string | number {
  return field === 'headcount' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** Target of a column: a field of the row, an extra column kept with the lead, or nothing. */
export type ColumnTarget = { readonly field: string } | { readonly extra: string } | { readonly left: true };

/** A column with its target, in the order of the file. */
export interface ImportColumn {
  readonly header: string;
  readonly target: ColumnTarget;
  readonly from: 'guessed' | 'given';
}

/** Common headers of exports, reduced to lower-case letters and digits. */
const KNOWN_HEADERS: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'emailaddress', 'mail', 'workemail', 'businessemail', 'primaryemail', 'email1', 'emailadresse'],
  personal_email: ['personalemail', 'privateemail'],
  secondary_email: ['secondaryemail', 'email2'],
  linkedin_url: ['linkedin', 'linkedinurl', 'linkedinprofile', 'linkedinprofileurl', 'personlinkedinurl', 'profileurl'],
  name: ['name', 'fullname', 'contact', 'contactname', 'contactfullname', 'personname'],
  first_name: ['firstname', 'givenname', 'vorname', 'fname'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname', 'lname'],
  title: ['title', 'jobtitle', 'position', 'role', 'headline'],
  company: ['company', 'companyname', 'organization', 'organisation', 'employer', 'account', 'accountname', 'firma'],
  domain: ['domain', 'companydomain', 'website', 'companywebsite', 'companyurl', 'emaildomain'],
  phone: ['phone', 'phonenumber', 'mobile', 'mobilephone', 'telephone', 'directphone', 'workdirectphone'],
  city: ['city', 'town', 'ort'],
  country: ['country', 'land', 'nation'],
  industry: ['industry', 'sector', 'branche'],
  headcount: ['headcount', 'employees', 'numberofemployees', 'companysize', 'employeecount'],
  seniority: ['seniority', 'senioritylevel'],
  department: ['department', 'departments', 'function'],
};

const FIELD_PATTERN = /^[a-z][a-z0-9_.-]{0,79}$/;

/**
 * Maps columns to fields: what `--map` says, else what the header is known to mean. A header that nobody knows is kept
 * with the lead, and states nothing about the person. A field is taken once: the second column of its kind is kept.
 * @param given `Header=field`; `Header=` leaves the column out
 * @throws CliError for a mapping of a column that is not there, or to what can be no field
 */
export function mapColumns(headers: readonly string[], given: readonly string[]): ImportColumn[] {
  const givenMappings = new Map(given.map(parseMapping));
  for (const header of givenMappings.keys()) {
    if (headers.includes(header)) continue;
    throw CliError.usage(`The file has no column "${header}".`, `Its columns: ${headers.join(', ')}.`);
  }
  const taken = new Set(givenMappings.values());
  return headers.map(header => {
    const field = givenMappings.get(header);
    if (field !== undefined) return { header, target: field === '' ? { left: true } : { field }, from: 'given' };
    const guess = guessField(header);
    if (guess === undefined || taken.has(guess)) return { header, target: keepColumn(header), from: 'guessed' };
    taken.add(guess);
    return { header, target: { field: guess }, from: 'guessed' };
  });
}

function parseMapping(word: string): [string, string] {
  const at = word.lastIndexOf('=');
  const [header, field] = at < 0 ? [word, undefined] : [word.slice(0, at).trim(), word.slice(at + 1).trim()];
  if (field === '' || (field !== undefined && FIELD_PATTERN.test(field))) return [header, field];
  throw CliError.usage(
    `"${word}" is not a mapping.`,
    'Write "Header=field", such as "Job=title"; "Header=" leaves it out.',
  );
}

function guessField(header: string): string | undefined {
  const bare = header
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
  return Object.keys(KNOWN_HEADERS).find(field => KNOWN_HEADERS[field]!.includes(bare));
}

function keepColumn(header: string): ColumnTarget {
  const name = header.trim().slice(0, 80);
  return name === '' ? { left: true } : { extra: name };
}

/** Describes the target of a column. */
export function describeTarget({ target }: ImportColumn): string {
  if ('field' in target) return target.field;
  return 'extra' in target ? '(kept with the lead)' : '(left out)';
}
