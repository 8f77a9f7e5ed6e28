import {
  toExternalFocus,
  type EntityType,
  type IdentifierFocus,
  parseFocus,
  parsePhone,
  type PhoneCountry,
} from '../identity/focus.js';

/** Fields with e-mail addresses, one or a list; the first address becomes the person's `email`. */
export const EMAIL_FIELDS: readonly string[] = [
  'email',
  'emails',
  'work_email',
  'personal_email',
  'secondary_email',
  'other_email',
];

/** Fields with the ID of the person in another system, and the name of that system. */
const EXTERNAL_FIELDS: Readonly<Record<string, string>> = {
  linkedin_member_id: 'linkedin',
  hubspot_id: 'hubspot',
  salesforce_id: 'salesforce',
  pipedrive_id: 'pipedrive',
  apollo_id: 'apollo',
  attio_id: 'attio',
};

const MAX_ADDRESSES = 20;

/** Reports a problem of a field, with the fix. */
export type RowProblemReporter = (field: string, message: string) => void;

/** Returns whether a field identifies the person instead of stating a fact. */
export function isExternalField(field: string): boolean {
  return Object.hasOwn(EXTERNAL_FIELDS, field);
}

/** Returns whether a field is empty: forms and tables send blank cells for missing values. */
export function isBlank(given: unknown): boolean {
  return given === undefined || (typeof given === 'string' && given.trim() === '');
}

/** Returns whether a field has no identifier. */
function isMissing(given: unknown): given is null | undefined {
  return given === null || isBlank(given);
}

/** Parses the addresses of a row, the first one first. Null and blank are ignored. */
export function parseEmails(row: Readonly<Record<string, unknown>>, report: RowProblemReporter): IdentifierFocus[] {
  return EMAIL_FIELDS.flatMap(field => {
    const given = [row[field]].flat().filter(each => !isMissing(each));
    if (given.length > MAX_ADDRESSES) report(field, `${field} holds at most ${MAX_ADDRESSES} addresses.`);
    return given.slice(0, MAX_ADDRESSES).flatMap(text => parseAs('email', field, text, report));
  });
}

/** Parses the LinkedIn profile of a row, if there is one. */
export function parseLinkedinProfile(
  row: Readonly<Record<string, unknown>>,
  report: RowProblemReporter,
): IdentifierFocus[] {
  return isMissing(row['linkedin_url']) ? [] : parseAs('linkedin', 'linkedin_url', row['linkedin_url'], report);
}

/** Parses the IDs that other systems have for the person or company of a row. */
export function parseExternalIds(
  row: Readonly<Record<string, unknown>>,
  type: EntityType,
  report: RowProblemReporter,
): IdentifierFocus[] {
  return Object.entries(EXTERNAL_FIELDS).flatMap(([field, system]) => {
    const given = row[field];
    if (isMissing(given)) return [];
    const focus =
      typeof given === 'string' || typeof given === 'number' ? toExternalFocus(system, String(given), type) : undefined;
    if (focus) return [focus];
    report(field, `${field} must be the id that ${system} has for the ${type}, at most 320 characters.`);
    return [];
  });
}

/** Parses the domains of a company, `domain` first. Null and blank are ignored. */
export function parseDomains(row: Readonly<Record<string, unknown>>, report: RowProblemReporter): IdentifierFocus[] {
  return ['domain', 'domains'].flatMap(field => {
    const given = [row[field]].flat().filter(each => !isMissing(each));
    if (given.length > MAX_ADDRESSES) report(field, `${field} holds at most ${MAX_ADDRESSES} domains.`);
    return given.slice(0, MAX_ADDRESSES).flatMap(text => parseAs('domain', field, text, report));
  });
}

/** Parses the domain of a company, for rows that identify no person. */
export function parseRowDomain(row: Readonly<Record<string, unknown>>, report: RowProblemReporter): IdentifierFocus[] {
  return isMissing(row['domain']) ? [] : parseAs('domain', 'domain', row['domain'], report);
}

/** Fields with phone numbers, the first one first. */
const PHONE_FIELDS = ['phone', 'phones', 'mobile', 'mobile_phone'];

/**
 * Returns the first phone number of a row that can be read, for rows that nothing else identifies. Others may have the
 * number too, so it identifies a row only if nothing better does.
 * @param country country of numbers without a country code.
 */
export function parseRowPhone(
  row: Readonly<Record<string, unknown>>,
  country: PhoneCountry | undefined,
): IdentifierFocus[] {
  const given = PHONE_FIELDS.flatMap(field => [row[field]].flat()).filter(each => typeof each === 'string');
  const phones = given.map(text => parsePhone(text, country)).filter(phone => phone.form === 'phone');
  return phones.slice(0, 1);
}

function parseAs(
  form: 'email' | 'linkedin' | 'domain',
  field: string,
  text: unknown,
  report: RowProblemReporter,
): IdentifierFocus[] {
  const focus = typeof text === 'string' ? parseFocus(text) : undefined;
  if (focus?.form === form) return [focus];
  const wanted = { email: 'an e-mail address', linkedin: 'a LinkedIn profile or company page', domain: 'a domain' }[
    form
  ];
  report(field, focus?.form === 'invalid' ? focus.reason.replace('The focus', field) : `${field} must be ${wanted}.`);
  return [];
}
