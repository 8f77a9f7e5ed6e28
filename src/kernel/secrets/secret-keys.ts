import { createSecretKey, type KeyObject } from 'node:crypto';

/** A key of AES-256-GCM with the id that what it sealed is marked by. */
export interface SecretKey {
  readonly id: string;
  /** 32 bytes. As an object Node takes it up once, and not at each use: that costs more than to open a short text. */
  readonly key: KeyObject;
}

/** Bytes of a key of AES-256. */
export const KEY_BYTES = 32;

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads `SECRET_KEYS`: `id:base64,…`, each key 32 bytes. The first one seals; all of them open what they once sealed.
 * @returns the keys, or a sentence that names what is wrong and holds nothing of a key.
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

/** Writes keys as `SECRET_KEYS` has them. */
export function formatSecretKeys(keys: readonly SecretKey[]): string {
  return keys.map(({ id, key }) => `${id}:${key.export().toString('base64')}`).join(',');
}
