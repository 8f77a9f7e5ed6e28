import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Normaliser } from './rules.js';

/** The key of null: the fact ended. No other value has it. */
export const ENDED_KEY = 'null';

const MAX_KEY_LENGTH = 200;
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * What decides whether two values of a property are the same: text without case, width and spacing, numbers by value,
 * objects by sorted keys, after the property's own normaliser. A key of more than 200 characters is its SHA-256.
 */
export function canonicalKey(value: JsonValue, normaliser?: Normaliser): string {
  const key =
    canonicalize(foldValue(typeof value === 'string' ? applyNormaliser(value, normaliser) : value)) ?? ENDED_KEY;
  return key.length <= MAX_KEY_LENGTH ? key : `sha256:${hash('sha256', key)}`;
}

/** Whether two values differ in nothing but case, width and spacing. */
export function isSameSpelling(one: JsonValue, other: JsonValue): boolean {
  return one === other || canonicalKey(one) === canonicalKey(other);
}

function foldValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return foldText(value);
  if (Array.isArray(value)) return value.map(foldValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, foldValue(member)]));
}

/** Text as it is compared and sorted: NFKC, case folded, single spaces, no outer space. */
export function foldText(text: string): string {
  const plain = ASCII.test(text) ? text.toLowerCase() : foldCase(text.normalize('NFKC')).normalize('NFKC');
  return plain.replace(/\s+/g, ' ').trim();
}

/** Full case folding by way of capitals: ß and ẞ are ss, and a sigma is the same wherever in the word it stands. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** A text of a property without what its normaliser takes away: the spaces of an address, all but a phone's digits. */
export function applyNormaliser(text: string, normaliser: Normaliser | undefined): string {
  if (normaliser === 'phone') return normalisePhone(text);
  return normaliser ? text.replace(/\s+/g, '') : text;
}

/** The digits of a number, with the plus of its country code; a text without digits stays what it is. */
function normalisePhone(text: string): string {
  const plain = text.normalize('NFKC');
  const digits = plain.replace(/\D/g, '');
  if (digits === '') return text;
  return /^\D*\+/.test(plain) ? `+${digits}` : digits;
}
