import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

/** A key for AES-256-GCM and the ID that marks its ciphertexts. */
export interface SecretKey {
  readonly id: string;
  /** 32 bytes. Importing the key once as an object saves more time than decrypting a short text takes. */
  readonly key: KeyObject;
}

/** Length of an AES-256 key in bytes. */
export const KEY_BYTES = 32;

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Parses `SECRET_KEYS`: `id:base64,…`, each key 32 bytes.
 * @returns the keys, or a sentence that says what is wrong and contains nothing of a key.
 */
export function parseSecretKeys(text: string): SecretKey[] | string {
  const keys: SecretKey[] = [];
  for (const [i, part] of text.split(',').entries()) {
    const colon = part.indexOf(':');
    const [id, encoded] = [part.slice(0, Math.max(0, colon)).trimStart(), part.slice(colon + 1).trimEnd()];
    if (!KEY_ID.test(id) || !BASE64.test(encoded))
      return `key ${i + 1} is not <id>:<base64 of ${KEY_BYTES} bytes>, such as made by: openssl rand -base64 ${KEY_BYTES}`;
    if (keys.some(known => known.id === id)) return `two keys have the id "${id}"`;
    keys.push({ id, key: createSecretKey(encoded, 'base64') });
  }
  return keys;
}

/**
 * Returns the ID of a key with a fingerprint of its bytes, such as `k1:9f86d081`, by which processes compare their keys
 * without showing them.
 */
export function fingerprintKey({ id, key }: SecretKey): string {
  return `${id}:${createHash('sha256').update(key.export()).digest('hex').slice(0, 8)}`;
}

/** Formats keys in the format of `SECRET_KEYS`. */
export function formatSecretKeys(keys: readonly SecretKey[]): string {
  return keys.map(({ id, key }) => `${id}:${key.export().toString('base64')}`).join(',');
}
