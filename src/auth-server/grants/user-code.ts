import { randomInt } from 'node:crypto';

/** Consonants only, so that codes are not misread and do not form words (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** Generates a code for people to type, such as `WDJB-MJHT`: one of 20⁸. */
export function generateUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Normalizes a typed code, ignoring case, spaces and dashes; returns undefined if it cannot be a code. */
export function parseUserCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 60)
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  const isCode = letters.length === CODE_LENGTH && [...letters].every(letter => ALPHABET.includes(letter));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}
