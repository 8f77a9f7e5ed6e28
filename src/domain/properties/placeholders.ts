import type { JsonValue } from '#domain/observation/observation.js';
import { PLACEHOLDER_WORDS } from './placeholders.data.js';

/** The longest text that can be a placeholder, in characters; longer ones are not looked at. */
const MAX_PLACEHOLDER_LENGTH = 40;

/** Properties in which `NA` is a value: the country code of Namibia. */
const COUNTRY_PROPERTIES = new Set(['country', 'country_code', 'company_country']);

const words: ReadonlySet<string> = new Set(PLACEHOLDER_WORDS);

/**
 * Returns whether a value is a placeholder that people and exports write where they know nothing: empty text, a dash,
 * `N/A`, `unknown`, `test`, in the ten languages of {@link PLACEHOLDER_WORDS}. Null is none: it ends a fact.
 */
export function isPlaceholder(property: string, value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  if (value.length > MAX_PLACEHOLDER_LENGTH) return value.trim() === '';
  const text = normalizePlaceholder(value);
  if (text === 'na' && COUNTRY_PROPERTIES.has(property)) return false;
  return text === '' || words.has(text);
}

/** Characters around a placeholder that do not matter: `(None)`, `[n/a]`, `--`. */
const OUTER_MARKS = new Set(' "\'`()[]{}<>*_.?!#:;,=/|\\–—-');

function normalizePlaceholder(value: string): string {
  const text = value.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  let [start, end] = [0, text.length];
  while (start < end && OUTER_MARKS.has(text[start]!)) start += 1;
  while (end > start && OUTER_MARKS.has(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
