import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import {
  toInvalidFocus,
  type InvalidFocus,
  type PhoneFocus,
  type EntityType,
  type ExternalFocus,
  type Focus,
  type Identifier,
  type IdentifierFocus,
  type PreciseFocus,
} from './types.js';
import {
  hasControlCharacters,
  parseDomain,
  parseLinkedin,
  collapseWhitespace,
  MAX_FOCUS_LENGTH,
  unwrapAddress,
} from './web-address.js';
import { parseEmail } from './email.js';
import { nameKey } from './names.js';
import { isPlainObject } from '../observation/observation.js';

/** An ISO 3166-1 country code of two capital letters that has phone numbers. */
export type PhoneCountry = CountryCode;

/** Maximum length of a text that can be a phone number, with separators and an extension. */
const MAX_PHONE_LENGTH = 64;

const TEL_SCHEME = /^tel:/i;
const INTERNATIONAL = /^\+[0-9 \u00a0()./-]{4,}$/;

/** Returns whether a focus can only be a phone number: a `tel:` link, or digits after a `+`. */
export function isPhoneText(text: string): boolean {
  return TEL_SCHEME.test(text) || (text.length <= MAX_PHONE_LENGTH && INTERNATIONAL.test(text));
}

/** Returns the country of a text such as `DE` or `de`; undefined if there is none. */
export function parsePhoneCountry(text: string): PhoneCountry | undefined {
  const code = text.trim().toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
}

/**
 * Parses a phone number, with or without `tel:`.
 * @param country country of numbers without a country code; without it such numbers are invalid.
 */
export function parsePhone(text: string, country?: PhoneCountry): PhoneFocus | InvalidFocus {
  const number = text.normalize('NFKC').trim().replace(TEL_SCHEME, '').trim();
  if (number.length > MAX_PHONE_LENGTH)
    return toInvalidFocus(`The phone number is longer than ${MAX_PHONE_LENGTH} characters; send it alone.`);
  const parsed = parsePhoneNumberFromString(
    number,
    country ? { defaultCountry: country, extract: false } : { extract: false },
  );
  if (parsed?.ext)
    return toInvalidFocus(
      'A phone number with an extension does not identify one person; send the number alone, or another identifier.',
    );
  if (parsed?.isPossible()) return { form: 'phone', value: parsed.number, key: parsed.number };
  return toInvalidFocus(
    country || number.startsWith('+')
      ? 'The text is no possible phone number; send it with its country code, such as +4930123456.'
      : 'The phone number has no country code; send it like +4930123456, or set `default_country` in the workspace profile.',
  );
}

/** Maximum length of an ID in another system. Same maximum as for any other focus. */
const MAX_SYSTEM_ID_LENGTH = 320;

const PREFIX = /^external:/i;
const SYSTEM = /^[a-z][a-z0-9_.-]{0,63}$/;
/** Types of entities can stand before the system, so no system has their names. */
const TYPE_NAMES: ReadonlySet<string> = new Set<EntityType>(['person', 'company']);

/** Returns whether a text names a system: lower case, as `hubspot`. */
export function isSystemName(text: string): boolean {
  return SYSTEM.test(text) && !TYPE_NAMES.has(text);
}

/**
 * Returns the ID that an entity has in another system as a focus; undefined if the ID is blank, longer than {@link
 * MAX_SYSTEM_ID_LENGTH} or has control characters, or if the system has no valid name. IDs are case-sensitive.
 */
export function toExternalFocus(system: string, given: string, entityType: EntityType): ExternalFocus | undefined {
  const id = given.trim();
  if (id === '' || id.length > MAX_SYSTEM_ID_LENGTH || hasControlCharacters(id) || !isSystemName(system))
    return undefined;
  const value = `${system}:${id}`;
  return { form: 'external', system, id, entityType, value, key: `${entityType}:${value}` };
}

/**
 * Parses `external:<system>:<id>`, which identifies a person, or `external:company:<system>:<id>`. Undefined for any
 * other text.
 */
export function parseExternal(text: string): ExternalFocus | InvalidFocus | undefined {
  if (!PREFIX.test(text)) return undefined;
  const [first = '', ...others] = text.slice('external:'.length).split(':');
  const type = TYPE_NAMES.has(first.toLowerCase()) ? (first.toLowerCase() as EntityType) : undefined;
  const [system = '', ...id] = type ? others : [first, ...others];
  return (
    toExternalFocus(system.toLowerCase(), id.join(':'), type ?? 'person') ??
    toInvalidFocus(
      'An ID of another system is written external:<system>:<id>, such as external:hubspot:501, or ' +
        'external:company:<system>:<id>; a system has lower-case letters, digits, "_", "." and "-", and an ID at most ' +
        `${MAX_SYSTEM_ID_LENGTH} characters.`,
    )
  );
}

/** Returns the text of a focus that {@link parseExternal} parses. */
export function formatExternal({ entityType, value }: ExternalFocus): string {
  return entityType === 'person' ? `external:${value}` : `external:${entityType}:${value}`;
}

export type * from './types.js';

const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

// A mailto: link always means a mailbox, even if the @ is missing.
const MAIL_LINK = /^\s*mailto:/i;

/**
 * Parses the subject of a call. Never throws. Tries in this order: UUID, ID of another system (`external:hubspot:501`),
 * phone number (`tel:` or a number that begins with `+`), LinkedIn URL, e-mail address (anything with an `@`; an invalid
 * one never becomes a name), domain or URL, name. Different spellings of one subject have equal keys,
 * and `parseFocus(formatFocus(x))` equals `x`.
 */
export function parseFocus(text: string): Focus {
  const subject = unwrapAddress(text);
  const problem = findFocusProblem(subject);
  if (problem) return toInvalidFocus(problem);
  const plain = subject.normalize('NFKC');
  const id = UUID.exec(plain)?.[1];
  if (id) return { form: 'uuid', id: id.toLowerCase() };
  const external = parseExternal(subject);
  if (external) return external;
  if (isPhoneText(plain)) return parsePhone(plain);
  const linkedin = parseLinkedin(subject);
  if (linkedin) return linkedin;
  if (plain.includes('@') || MAIL_LINK.test(text)) return parseEmail(subject);
  return parseDomain(subject) ?? { form: 'name', key: nameKey(subject), text: collapseWhitespace(subject) };
}

function findFocusProblem(subject: string): string | undefined {
  if (subject === '')
    return 'The focus is empty; send an entity id, e-mail address, domain, LinkedIn address, phone number or external ID.';
  if (subject.length > MAX_FOCUS_LENGTH) {
    return `The focus is longer than ${MAX_FOCUS_LENGTH} characters; send the bare identifier without a query.`;
  }
  if (hasControlCharacters(subject)) {
    return 'The focus has a control character (a line break, a tab, a NUL) in it; send the identifier alone.';
  }
  return undefined;
}

/** Returns the text of a focus in its canonical spelling. */
export function formatFocus(focus: Exclude<Focus, InvalidFocus>): string {
  if (focus.form === 'uuid') return focus.id;
  if (focus.form === 'phone') return `tel:${focus.value}`;
  if (focus.form === 'external') return formatExternal(focus);
  return focus.form === 'name' ? focus.text : focus.value;
}

/** Returns whether a write accepts the focus: everything but names and invalid text. */
export function isPrecise(focus: Focus): focus is PreciseFocus {
  return focus.form !== 'name' && focus.form !== 'invalid';
}

/** Returns the identifier by which the entity of this focus is stored and found. */
export function toIdentifier(focus: IdentifierFocus): Identifier {
  return { kind: focus.form, value: focus.value, key: focus.key };
}

/**
 * Returns the type of entity that a write creates for this focus: mailboxes, profiles and phone numbers belong to
 * people, domains to companies.
 */
export function entityTypeOf(focus: IdentifierFocus): EntityType {
  if (focus.form === 'linkedin' || focus.form === 'external') return focus.entityType;
  return focus.form === 'domain' ? 'company' : 'person';
}

/** The text of a focus, or the reason why there is none. */
export type FocusTextResult = { readonly text: string } | { readonly reason: string };

const NATIONAL_LINK = /^\s*tel:\s*[^+\s]/i;

/**
 * Returns the text of a focus that is given as an object, `{external: {system, id, type?}}` or `{phone}`, or as a `tel:`
 * link without a country code. Undefined for anything else, which is left as it is.
 * @param country country of phone numbers without a country code.
 */
export function toFocusText(given: unknown, country: PhoneCountry | undefined): FocusTextResult | undefined {
  if (typeof given === 'string') return NATIONAL_LINK.test(given) ? phoneText(given, country) : undefined;
  if (!isPlainObject(given)) return undefined;
  const [field, ...others] = Object.keys(given);
  if (others.length === 0 && field === 'phone' && typeof given['phone'] === 'string')
    return phoneText(given['phone'], country);
  if (others.length === 0 && field === 'external' && isPlainObject(given['external']))
    return externalText(given['external']);
  return {
    reason:
      'An object names an entity as {"external": {"system": "hubspot", "id": "501"}} or {"phone": "+4930123456"}; send one of them, or a text.',
  };
}

function phoneText(given: string, country: PhoneCountry | undefined): FocusTextResult {
  const phone = parsePhone(given, country);
  return phone.form === 'phone' ? { text: `tel:${phone.value}` } : { reason: phone.reason };
}

function externalText({ system, id, type = 'person', ...others }: Record<string, unknown>): FocusTextResult {
  const isKnown = Object.keys(others).length === 0 && (type === 'person' || type === 'company');
  const text = typeof id === 'number' ? String(id) : id;
  const focus =
    isKnown && typeof system === 'string' && typeof text === 'string' ? toExternalFocus(system, text, type) : undefined;
  return focus
    ? { text: formatExternal(focus) }
    : {
        reason:
          '`external` needs `system`, such as "hubspot" in lower case, and `id`, at most 320 characters; `type` is ' +
          '"person" (the default) or "company".',
      };
}

/** Returns the key under which an e-mail address identifies somebody; undefined if the value is none. */
export function toEmailKey(value: unknown): string | undefined {
  const focus = typeof value === 'string' ? parseFocus(value) : undefined;
  return focus?.form === 'email' ? focus.key : undefined;
}
