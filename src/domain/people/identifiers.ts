import { externalFocus, type IdentifierFocus, parseFocus } from '#domain/identity/focus.js';
import type { ExternalFocus } from '#domain/identity/types.js';

/** Fields that hold e-mail addresses, one or a list; the first of them is the person's `email`. */
export const EMAIL_FIELDS: readonly string[] = [
  'email',
  'emails',
  'work_email',
  'personal_email',
  'secondary_email',
  'other_email',
];

/** Fields that hold the id which another system has for the person. */
const EXTERNAL_FIELDS: Readonly<Record<string, ExternalFocus['form']>> = {
  linkedin_member_id: 'linkedin_member_id',
  hubspot_id: 'hubspot',
  pipedrive_id: 'pipedrive',
  apollo_id: 'apollo',
  attio_id: 'attio',
};

const MOST_ADDRESSES = 20;

/** Told of a field that cannot be taken, and of the mend. */
export type Report = (field: string, message: string) => void;

/** Whether a field names the person instead of stating something of them. */
export function isExternalField(field: string): boolean {
  return Object.hasOwn(EXTERNAL_FIELDS, field);
}

/** Whether a field of a row says nothing: forms and tables send blank cells for what nobody filled in. */
export function isBlank(given: unknown): boolean {
  return given === undefined || (typeof given === 'string' && given.trim() === '');
}

/** Whether nothing is told by which somebody could be found. */
function isNone(given: unknown): given is null | undefined {
  return given === null || isBlank(given);
}

/** The addresses in the fields of a row, the first one first. Null and blank are no address. */
export function emailsIn(row: Readonly<Record<string, unknown>>, report: Report): IdentifierFocus[] {
  return EMAIL_FIELDS.flatMap(field => {
    const given = [row[field]].flat().filter(each => !isNone(each));
    if (given.length > MOST_ADDRESSES) report(field, `${field} holds at most ${MOST_ADDRESSES} addresses.`);
    return given.slice(0, MOST_ADDRESSES).flatMap(text => readAs('email', field, text, report));
  });
}

/** The profile in a row, if there is one. */
export function profileIn(row: Readonly<Record<string, unknown>>, report: Report): IdentifierFocus[] {
  return isNone(row['linkedin_url']) ? [] : readAs('linkedin', 'linkedin_url', row['linkedin_url'], report);
}

/** The ids of other systems in a row. */
export function externalIdsIn(row: Readonly<Record<string, unknown>>, report: Report): IdentifierFocus[] {
  return Object.entries(EXTERNAL_FIELDS).flatMap(([field, form]) => {
    const given = row[field];
    if (isNone(given)) return [];
    const focus =
      typeof given === 'string' || typeof given === 'number' ? externalFocus(form, String(given)) : undefined;
    if (focus) return [focus];
    report(field, `${field} must be the id that ${form} has for the person, at most 320 characters.`);
    return [];
  });
}

/** The domain of a company, where nothing in the row names a person. */
export function domainIn(row: Readonly<Record<string, unknown>>, report: Report): IdentifierFocus[] {
  return isNone(row['domain']) ? [] : readAs('domain', 'domain', row['domain'], report);
}

function readAs(
  form: 'email' | 'linkedin' | 'domain',
  field: string,
  text: unknown,
  report: Report,
): IdentifierFocus[] {
  const focus = typeof text === 'string' ? parseFocus(text) : undefined;
  if (focus?.form === form) return [focus];
  const wanted = { email: 'an e-mail address', linkedin: 'a LinkedIn profile or company page', domain: 'a domain' }[
    form
  ];
  report(field, focus?.form === 'invalid' ? focus.reason.replace('The focus', field) : `${field} must be ${wanted}.`);
  return [];
}
