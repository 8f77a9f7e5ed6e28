import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Json } from '#domain/observation/observation.js';
import type { Normaliser } from './rules.js';

/** The key of null: the fact ended. No other value has it. */
export const ENDED = 'null';

const LONGEST_KEY = 200;
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * What decides whether two values of a property are the same: text without case, width and spacing, numbers by value,
 * objects by sorted keys, after the property's own normaliser. A key of more than 200 characters is its SHA-256.
 */
export function canonKey(value: Json, normaliser?: Normaliser): string {
  const key = canonicalize(folded(typeof value === 'string' ? normalised(value, normaliser) : value)) ?? ENDED;
  return key.length <= LONGEST_KEY ? key : `sha256:${hash('sha256', key)}`;
}

/** Whether two values differ in nothing but case, width and spacing. */
export function isSameSpelling(one: Json, other: Json): boolean {
  return one === other || canonKey(one) === canonKey(other);
}

function folded(value: Json): Json {
  if (typeof value === 'string') return foldedText(value);
  if (Array.isArray(value)) return value.map(folded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, folded(member)]));
}

/** Text as it is compared and sorted: NFKC, case folded, single spaces, no outer space. */
export function foldedText(text: string): string {
  const plain = ASCII.test(text) ? text.toLowerCase() : caseFolded(text.normalize('NFKC')).normalize('NFKC');
  return plain.replace(/\s+/g, ' ').trim();
}

/** Full case folding by way of capitals: ß and ẞ are ss, and a sigma is the same wherever in the word it stands. */
function caseFolded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** A text of a property without what its normaliser takes away: the spaces of an address, all but a phone's digits. */
export function normalised(text: string, normaliser: Normaliser | undefined): string {
  if (normaliser === 'phone') return dialled(text);
  return normaliser ? text.replace(/\s+/g, '') : text;
}

/** The digits of a number, with the plus of its country code; a text without digits stays what it is. */
function dialled(text: string): string {
  const plain = text.normalize('NFKC');
  const digits = plain.replace(/\D/g, '');
  if (digits === '') return text;
  return /^\D*\+/.test(plain) ? `+${digits}` : digits;
}
