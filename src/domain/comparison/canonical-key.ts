import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonValue } from '../observation/observation.js';
import type { Normaliser, PropertyRule } from '../claims/rules.js';

/** Key of null, which ends a fact. No other value has this key. */
export const ENDED_KEY = 'null';

const MAX_KEY_LENGTH = 200;
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Returns the key by which values of a property are compared, after the property's normaliser: text without case, width
 * and extra spaces, numbers by value, objects with sorted keys. Keys of more than 200 characters are replaced by their
 * SHA-256.
 */
export function canonicalKey(value: JsonValue, normaliser?: Normaliser): string {
  return limitKey(
    canonicalize(foldValue(typeof value === 'string' ? applyNormaliser(value, normaliser) : value)) ?? ENDED_KEY,
  );
}

/** Returns a key, or the SHA-256 of one of more than 200 characters. */
export function limitKey(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : `sha256:${hash('sha256', key)}`;
}

/** Returns whether two values differ only in case, width and spacing. */
export function isSameSpelling(one: JsonValue, other: JsonValue): boolean {
  return one === other || canonicalKey(one) === canonicalKey(other);
}

function foldValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return foldText(value);
  if (Array.isArray(value)) return value.map(foldValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, foldValue(member)]));
}

/** Folds text for comparing and sorting: NFKC, case folded, single spaces, trimmed. */
export function foldText(text: string): string {
  const plain = ASCII.test(text) ? text.toLowerCase() : foldCase(text.normalize('NFKC')).normalize('NFKC');
  return plain.replace(/\s+/g, ' ').trim();
}

/** Folds case fully by way of upper case: ß and ẞ become ss, and both Greek sigmas become one. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Applies the normaliser of a property to a text: removes the spaces of an address, and all but the digits of a phone
 * number.
 */
export function applyNormaliser(text: string, normaliser: Normaliser | undefined): string {
  if (normaliser === 'phone') return normalisePhone(text);
  return normaliser ? text.replace(/\s+/g, '') : text;
}

/**
 * Returns the digits of a phone number, with a leading plus if it has one. Text without digits is returned unchanged.
 */
function normalisePhone(text: string): string {
  const plain = text.normalize('NFKC');
  const digits = plain.replace(/\D/g, '');
  if (digits === '') return text;
  return /^\D*\+/.test(plain) ? `+${digits}` : digits;
}

/** Separates the values of a property with many values. Folded text never contains it. */
export const MEMBER_SEPARATOR = '\n';

/** Maximum number of characters per value that filters compare. */
export const MAX_COMPARABLE_LENGTH = 4_096;

const NUMBER = /^[+-]?(?:\d{1,15})(?:\.\d{1,15})?$/;

/**
 * Returns the text by which filters and sorts compare a single value: folded text, numbers and booleans as in JSON.
 * Undefined for null, objects and lists.
 */
export function toComparableText(value: JsonValue, normaliser?: PropertyRule['normaliser']): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  return foldText(applyNormaliser(value.slice(0, MAX_COMPARABLE_LENGTH), normaliser)).slice(0, MAX_COMPARABLE_LENGTH);
}

/** Returns all values of a property as one text, each enclosed in separators, so that whole values can be matched. */
export function toComparableMembers(values: readonly JsonValue[], normaliser?: PropertyRule['normaliser']): string {
  const texts = values.map(value => toComparableText(value, normaliser)).filter(text => text !== undefined);
  return MEMBER_SEPARATOR + texts.map(text => text + MEMBER_SEPARATOR).join('');
}

/** Returns a number, or the number that a decimal text spells. */
export function toComparableNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;
}

const MARKS = /\p{M}/gu;
const SEPARATORS = /[^\p{L}\p{N}+#]+/u;
const PLAIN = /^[\u0020-\u007e]*$/;

/**
 * Folds text for comparing words: NFKC, lower case, without diacritics, `ß` as `ss`. Letters that are no accented Latin
 * ones (`ø`, `ł`, `æ`) become the letters that people type for them.
 */
export function foldLetters(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .normalize('NFC');
}

/** Returns the words of a text, folded by {@link foldLetters}. Punctuation separates words, `+` and `#` do not. */
export function toWords(text: string): string[] {
  return foldLetters(text)
    .split(SEPARATORS)
    .filter(word => word !== '');
}

/** Returns an English word without the ending of a plural: `agencies` is `agency`. */
export function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** A table of phrases: a phrase of several words is found before the words it consists of. */
export interface PhraseTable<T> {
  readonly phrases: ReadonlyMap<string, T>;
  /** Number of words of the longest phrase. */
  readonly longest: number;
}

/** Builds a table from lines `concept: phrase | phrase`. Phrases are folded by {@link foldLetters}. */
export function buildPhraseTable(lines: Readonly<Record<string, string>>): PhraseTable<string> {
  const phrases = new Map<string, string>();
  for (const [concept, line] of Object.entries(lines)) {
    for (const phrase of line.split('|')) phrases.set(toWords(phrase).join(' '), concept);
  }
  return { phrases, longest: Math.max(...[...phrases.keys()].map(phrase => phrase.split(' ').length)) };
}

/** The longest phrase that begins at a word. */
export interface PhraseMatch<T> {
  readonly concept: T;
  readonly length: number;
}

/** Returns the longest phrase of a table that begins at `words[from]`; undefined if there is none. */
export function matchPhrase<T>(
  { phrases, longest }: PhraseTable<T>,
  words: readonly string[],
  from: number,
): PhraseMatch<T> | undefined {
  for (let length = Math.min(longest, words.length - from); length > 0; length -= 1) {
    const concept = phrases.get(length === 1 ? words[from]! : words.slice(from, from + length).join(' '));
    if (concept !== undefined) return { concept, length };
  }
  return undefined;
}
