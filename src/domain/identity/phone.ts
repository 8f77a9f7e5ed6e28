import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { toInvalidFocus, type InvalidFocus, type PhoneFocus } from './types.js';

/** An ISO 3166-1 country code of two capital letters that has phone numbers. */
export type PhoneCountry = CountryCode;

/** Maximum length of a text that can be a phone number, with separators and an extension. */
const MAX_PHONE_LENGTH = 64;

const SCHEME = /^tel:/i;
const INTERNATIONAL = /^\+[0-9 \u00a0()./-]{4,}$/;

/** Returns whether a focus can only be a phone number: a `tel:` link, or digits after a `+`. */
export function isPhoneText(text: string): boolean {
  return SCHEME.test(text) || (text.length <= MAX_PHONE_LENGTH && INTERNATIONAL.test(text));
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
  const number = text.normalize('NFKC').trim().replace(SCHEME, '').trim();
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
