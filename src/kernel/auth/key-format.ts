import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PREFIX = 'rap_live_';
const RANDOM_DIGITS = 30;
const CHECK_DIGITS = 6;
const VISIBLE_RANDOM_DIGITS = 4;
const KEY_PATTERN = /^rap_live_[0-9A-Za-z]{36}$/;

/** A new key: `key` is returned to its owner once, the other fields are stored. */
export interface GeneratedKey {
  readonly key: string;
  /** SHA-256 of the whole key. 178 random bits need no salt and no slow hash. */
  readonly hash: Buffer;
  /** `rap_live_` and the first four random digits; identifies a key to its owner. */
  readonly prefix: string;
  readonly lastFour: string;
}

/** Generates an API key: `rap_live_`, 30 random base62 digits, and the CRC32 of both as 6 base62 digits. */
export function generateKey(): GeneratedKey {
  const random = Array.from({ length: RANDOM_DIGITS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const key = withChecksum(KEY_PREFIX + random);
  return {
    key,
    hash: hashKey(key),
    prefix: key.slice(0, KEY_PREFIX.length + VISIBLE_RANDOM_DIGITS),
    lastFour: key.slice(-4),
  };
}

/** Returns whether a text has the form and checksum of a key. Rejects mistyped keys without a query. */
export function isValidFormat(key: string): boolean {
  return KEY_PATTERN.test(key) && withChecksum(key.slice(0, -CHECK_DIGITS)) === key;
}

/** Returns the SHA-256 of a key, under which the database stores it. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_DIGITS; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text + digits;
}
