import type { JsonValue } from '#domain/observation/observation.js';
import { PLACEHOLDER_WORDS } from './placeholders.data.js';

/** Maximum length of a placeholder in characters; longer text is not one. */
const MAX_PLACEHOLDER_LENGTH = 40;

/** Properties in which `NA` is a value: the country code of Namibia. */
const COUNTRY_PROPERTIES = new Set(['country', 'country_code', 'company_country']);

const words: ReadonlySet<string> = new Set(PLACEHOLDER_WORDS);

/**
 * Returns whether a value is a placeholder for a missing value: empty text, a dash, `N/A`, `unknown`, `test`, in the
 * ten languages of {@link PLACEHOLDER_WORDS}. Null is not a placeholder: it ends a fact.
 */
export function isPlaceholder(property: string, value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  if (value.length > MAX_PLACEHOLDER_LENGTH) return value.trim() === '';
  const text = normalizePlaceholder(value);
  if (text === 'na' && COUNTRY_PROPERTIES.has(property)) return false;
  return text === '' || words.has(text);
}

/** Characters around a placeholder that are ignored: `(None)`, `[n/a]`, `--`. */
const OUTER_MARKS = new Set(' "\'`()[]{}<>*_.?!#:;,=/|\\–—-');

/**
 * Returns the placeholders in a value that states something: the value itself, or members of a list.
 * @returns each with its path behind the value, `''` or `[2]`.
 */
export function findPlaceholders(property: string, value: JsonValue): { path: string; text: string }[] {
  if (!Array.isArray(value)) return isPlaceholder(property, value) ? [{ path: '', text: String(value) }] : [];
  return value.flatMap((member, i) =>
    isPlaceholder(property, member) ? [{ path: `[${i}]`, text: String(member) }] : [],
  );
}

/** Returns the sentence that refuses a placeholder and names the fix. */
export function explainPlaceholder(field: string, text: string): string {
  return (
    `${field} is ${JSON.stringify(text)}, which is a placeholder and no value. Leave it out if nothing is known; send ` +
    'null if the fact has ended.'
  );
}

function normalizePlaceholder(value: string): string {
  const text = value.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  let [start, end] = [0, text.length];
  while (start < end && OUTER_MARKS.has(text[start]!)) start += 1;
  while (end > start && OUTER_MARKS.has(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
