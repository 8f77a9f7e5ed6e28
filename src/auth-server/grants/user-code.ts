import { randomInt } from 'node:crypto';

/** Consonants only: no code can be misread, and none becomes a word (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** A new code for people to type, `WDJB-MJHT`: 20⁸ possibilities. */
export function generateUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** What somebody typed as the code it means, whatever its case, spaces and dashes. Undefined for what can be none. */
export function parseUserCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 60)
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  const isCode = letters.length === CODE_LENGTH && [...letters].every(letter => ALPHABET.includes(letter));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}
