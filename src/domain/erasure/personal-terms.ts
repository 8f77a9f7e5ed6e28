import { isRoleMailbox } from '../identity/email.js';
import type { Identifier } from '../identity/focus.js';
import { nameKey } from '../identity/names.js';

/** What identifies a person in text. */
export interface PersonalTerms {
  /** E-mail addresses in lower case. */
  readonly emails: readonly string[];
  /** Profiles as `in/ada-lovelace`, in lower case. */
  readonly profiles: readonly string[];
  /** Phone numbers as digits. */
  readonly phones: readonly string[];
  /** Full names of at least two words. */
  readonly names: readonly string[];
  /** IDs in other systems that are long enough to be unmistakable. */
  readonly externalIds: readonly string[];
}

/** What is known of a person, from which the terms are made. */
export interface KnownPerson {
  readonly identifiers: readonly Identifier[];
  /** Values of name, e-mail, phone and profile properties, current and former. */
  readonly values: readonly { readonly property: string; readonly value: unknown }[];
}

/** Shorter numbers are extensions or occur by chance. */
const MIN_PHONE_DIGITS = 7;
/** Longer numbers are no phone numbers (ITU-T E.164). */
const MAX_PHONE_DIGITS = 15;
/** Shorter names, such as "Al Li", occur by chance. */
const MIN_NAME_LENGTH = 6;
const MIN_EXTERNAL_ID_LENGTH = 10;
/** Bounds the expression that is built of the terms. */
const MAX_TERMS_PER_KIND = 100;
const MAX_TERM_LENGTH = 320;

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const PROFILE = /linkedin\.com\/((?:in|pub|sales\/lead)\/[^/?#\s]+)/i;
const PHONE_PROPERTIES: ReadonlySet<string> = new Set(['phone', 'phones']);

/**
 * Returns the terms that identify a person in text. Role mailboxes such as `info@…` are left out, because they belong to
 * a function, and single first names, because others share them.
 */
export function toPersonalTerms({ identifiers, values }: KnownPerson): PersonalTerms {
  const texts = values.flatMap(({ property, value }) => listTexts(value).map(text => ({ property, text })));
  const addresses = [
    ...identifiers.filter(({ kind }) => kind === 'email').flatMap(({ value, key }) => [value, key]),
    ...texts.map(({ text }) => text).filter(text => EMAIL.test(text)),
  ];
  const links = [
    ...identifiers.filter(({ kind }) => kind === 'linkedin').flatMap(({ value, key }) => [value, key]),
    ...texts.map(({ text }) => text),
  ];
  return {
    emails: bound(addresses.map(text => text.toLowerCase()).filter(email => !isShared(email))),
    profiles: bound(links.flatMap(text => PROFILE.exec(text)?.[1]?.toLowerCase() ?? [])),
    phones: bound(
      [
        ...texts.filter(({ property }) => PHONE_PROPERTIES.has(property)).map(({ text }) => text),
        ...identifiers.filter(({ kind }) => kind === 'phone').map(({ value }) => value),
      ]
        .map(text => text.replaceAll(/\D/g, ''))
        .filter(({ length }) => length >= MIN_PHONE_DIGITS && length <= MAX_PHONE_DIGITS),
    ),
    names: bound(
      texts
        .filter(({ property }) => property === 'name')
        .map(({ text }) => text.normalize('NFC').trim())
        .filter(isFullName),
    ),
    externalIds: bound(
      identifiers
        .filter(({ kind }) => kind === 'external')
        .map(({ value }) => value.slice(value.indexOf(':') + 1))
        .filter(({ length }) => length >= MIN_EXTERNAL_ID_LENGTH),
    ),
  };
}

/** Returns whether an address belongs to a function or a machine, and so to nobody in particular. */
export function isShared(email: string): boolean {
  return isRoleMailbox(email.slice(0, Math.max(email.lastIndexOf('@'), 0)));
}

function isFullName(name: string): boolean {
  return name.length >= MIN_NAME_LENGTH && nameKey(name).includes(' ');
}

/** Returns the texts of a value: itself, or the elements of a list. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}

function bound(terms: readonly string[]): string[] {
  return [...new Set(terms)]
    .filter(({ length }) => length > 0 && length <= MAX_TERM_LENGTH)
    .slice(0, MAX_TERMS_PER_KIND);
}
