import type { Json } from '@rapport/plugin-sdk';
import { type DateOrder, parseDate } from './dates.js';
import { type ColumnTarget, type Field, readOwnProperty } from './fields.js';
import { cleanCell, splitValues } from './text.js';
import {
  CONTENT_TESTS,
  type DecimalSign,
  isHonorific,
  joinPhone,
  parseBoolean,
  parseNumber,
  splitName,
  toPlainValue,
} from './values.js';

/** How rows are understood. */
export interface Mapping {
  /** What each column states, by position; null for columns that are not imported. */
  readonly fields: readonly (ColumnTarget | null)[];
  readonly date_order: DateOrder;
  readonly decimal: DecimalSign;
}

/** What is wrong with a row, and where. */
export interface RowProblem {
  readonly field: Field | null;
  readonly message: string;
}

/** What a row states. */
export interface MappedRow {
  /** ID of the record in the system that the file comes from; null if it has none. */
  readonly recordId: string | null;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly linkedinUrl: string | null;
  /** Properties of the person. */
  readonly person: Readonly<Record<string, Json>>;
  /** Properties of the user's own. */
  readonly own: Readonly<Record<string, Json>>;
  /** Properties of the company; empty if the row states none. */
  readonly company: Readonly<Record<string, Json>>;
  /** Domain of the company; null if the row has none. */
  readonly companyDomain: string | null;
  readonly note: string | null;
  /** YYYY-MM-DD; null if the row has none. */
  readonly noteDate: string | null;
  /** Time at which the person accepted a connection, ISO 8601; null if the row has none. */
  readonly connectedAt: string | null;
  /** Time at which the row was true, ISO 8601; null if the row has none. */
  readonly observedAt: string | null;
}

/** A row that was understood, or what is wrong with it. */
export type RowResult = { readonly row: MappedRow } | { readonly problems: readonly RowProblem[] };

/** Texts that stand for nothing. */
const PLACEHOLDERS = new Set(['-', '--', 'n/a', 'na', 'null', 'none', 'unknown', '#n/a', 'undefined', '(none)']);
const TEXT_FIELDS: readonly Field[] = [
  ...(['email_status', 'title', 'seniority', 'department', 'headline', 'location', 'city', 'country'] as const),
  ...(['stage', 'owner'] as const),
];

/** Reads what a row states. Cells that are not what their column holds are problems; nothing is guessed. */
export function mapRow(cells: readonly string[], mapping: Mapping): RowResult {
  const values = collectValues(cells, mapping.fields);
  const one = (field: Field): string | null => values.get(field)?.[0] ?? null;
  const all = (field: Field): string[] => (values.get(field) ?? []).flatMap(splitValues);
  const problems: RowProblem[] = [];
  const report = (field: Field, message: string): void => void problems.push({ field, message });

  const emails = unique(all('email').map(email => email.replace(/^mailto:/i, '')));
  for (const email of emails) {
    if (!CONTENT_TESTS.email(email))
      report('email', `\`email\` is not an e-mail address: ${quote(email)}. ${EMAIL_FIX}`);
  }
  const linkedinUrl = one('linkedin_url');
  if (linkedinUrl !== null && !CONTENT_TESTS.linkedin_url(linkedinUrl)) {
    report('linkedin_url', `\`linkedin_url\` is not a LinkedIn profile: ${quote(linkedinUrl)}. Clear or correct it.`);
  }
  const countryCode = one('phone_country_code') ?? undefined;
  const phones = unique(
    all('phone')
      .filter(CONTENT_TESTS.phone)
      .map(phone => joinPhone(phone, countryCode)),
  );

  const person: Record<string, Json> = { ...readName(one) };
  for (const field of TEXT_FIELDS) {
    const text = one(field);
    if (text !== null && !(field === 'title' && isHonorific(text))) person[field] = text;
  }
  for (const field of ['do_not_contact', 'unsubscribed'] as const) {
    const text = one(field);
    const value = text === null ? undefined : parseBoolean(text);
    if (value !== undefined) person[field] = value;
    else if (text !== null) report(field, `\`${field}\` is neither yes nor no: ${quote(text)}. Write true or false.`);
  }
  const score = one('lead_score');
  const scoreNumber = score === null ? undefined : parseNumber(score, mapping.decimal);
  if (scoreNumber !== undefined) person['lead_score'] = scoreNumber;
  else if (score !== null) report('lead_score', `\`lead_score\` is no number: ${quote(score)}. Write digits.`);
  const keywords = unique(
    (values.get('keywords') ?? []).flatMap(cell => cell.split(/[;,\n]/)).map(each => each.trim()),
  );
  if (keywords.some(Boolean)) person['keywords'] = keywords.filter(Boolean);
  const companyName = one('company');
  if (companyName !== null) person['company'] = companyName;

  const observedAt = readDate('observed_at', one('observed_at'), mapping.date_order, report);
  const connectedAt = readDate('connected_on', one('connected_on'), mapping.date_order, report);
  const noteDate = readDate('note_date', one('note_date'), mapping.date_order, report);
  const notes = values.get('note') ?? [];
  if (problems.length > 0) return { problems };
  return {
    row: {
      recordId: one('record_id'),
      emails,
      phones,
      linkedinUrl: linkedinUrl === null ? null : toHttps(linkedinUrl),
      person,
      own: readOwn(cells, mapping.fields),
      company: readCompany(one, mapping.decimal),
      companyDomain: readDomain(one('company_domain')),
      note: notes.length > 0 ? notes.join('\n\n') : null,
      noteDate: noteDate?.slice(0, 10) ?? null,
      connectedAt,
      observedAt,
    },
  };
}

const EMAIL_FIX = 'Write it as name@company.com, or clear the cell.';

function collectValues(
  cells: readonly string[],
  fields: readonly (ColumnTarget | null)[],
): Map<ColumnTarget, string[]> {
  const values = new Map<ColumnTarget, string[]>();
  fields.forEach((field, index) => {
    if (field === null) return;
    const text = readCell(cells[index]);
    if (text === null) return;
    values.set(field, [...(values.get(field) ?? []), text]);
  });
  return values;
}

/** Returns the text of a cell; null if it is empty or holds a placeholder. */
function readCell(cell = ''): string | null {
  const text = cleanCell(cell);
  return text === '' || PLACEHOLDERS.has(text.toLowerCase()) ? null : text;
}

function readOwn(cells: readonly string[], fields: readonly (ColumnTarget | null)[]): Record<string, Json> {
  const own: Record<string, Json> = {};
  fields.forEach((field, index) => {
    const name = field === null ? null : readOwnProperty(field);
    const text = name === null ? null : readCell(cells[index]);
    if (name !== null && text !== null) own[name] = toPlainValue(text);
  });
  return own;
}

function readName(one: (field: Field) => string | null): Record<string, Json> {
  const [first, middle, last, full] = [one('first_name'), one('middle_name'), one('last_name'), one('name')];
  if (first === null && last === null) return full === null || full.includes('@') ? {} : { ...splitName(full) };
  const joined = [first, middle, last].filter(part => part !== null).join(' ');
  return { name: joined, ...(first !== null && { first_name: first }), ...(last !== null && { last_name: last }) };
}

function readCompany(one: (field: Field) => string | null, decimal: DecimalSign): Record<string, Json> {
  const company: Record<string, Json> = {};
  const [name, industry, revenue] = [one('company'), one('company_industry'), one('company_revenue')];
  if (name !== null) company['name'] = name;
  const profile = one('company_linkedin_url');
  if (profile !== null && CONTENT_TESTS.company_linkedin_url(profile)) company['linkedin_url'] = toHttps(profile);
  if (industry !== null) company['industry'] = industry;
  const headcount = one('company_headcount');
  if (headcount !== null) company['headcount'] = parseNumber(headcount, decimal) ?? headcount;
  if (revenue !== null) company['revenue'] = parseNumber(revenue, decimal) ?? revenue;
  return company;
}

function readDomain(cell: string | null): string | null {
  if (cell === null || !CONTENT_TESTS.company_domain(cell)) return null;
  return cell
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#].*$/s, '')
    .toLowerCase();
}

function readDate(
  field: 'observed_at' | 'connected_on' | 'note_date',
  cell: string | null,
  order: DateOrder,
  report: (field: Field, message: string) => void,
): string | null {
  if (cell === null) return null;
  const date = parseDate(cell, order);
  if ('iso' in date) return date.iso;
  report(
    field,
    date.problem === 'unknown_order'
      ? `\`${field}\` can be two dates: ${quote(cell)}. Choose \`date_order\`, day_first or month_first.`
      : `\`${field}\` is no date: ${quote(cell)}. Write it as 2025-03-31, or clear the cell.`,
  );
  return null;
}

function toHttps(url: string): string {
  return `https://${url.replace(/^https?:\/\//i, '')}`;
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
