import { COUNTRY_NAMES } from './countries.data.js';
import { toWords } from './words.js';

const MAX_COUNTRY_TEXT = 100;

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRY_NAMES).flatMap(([code, names]) =>
    [code, ...names.split('|')].map(name => [toWords(name).join(' '), code] as const),
  ),
);

/** Returns the ISO 3166-1 alpha-2 code of a country, given as code or name in ten languages; undefined if unknown. */
export function countryCode(text: string): string | undefined {
  if (text.length > MAX_COUNTRY_TEXT) return undefined;
  const words = toWords(text).join(' ');
  return codes.get(words) ?? codes.get(words.replace(/^(?:the|la|le|les|el|die|der) /, ''));
}
