import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  randomBytes,
} from 'node:crypto';
import { HubError } from '../errors/hub-error.js';

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

/**
 * Place of a secret, used as additional authenticated data: a secret copied to another row cannot be decrypted there.
 */
export interface SecretContext {
  readonly workspace: string;
  /** ID of the connection, or of another owner of the secret in the workspace. */
  readonly owner: string;
  /** Field such as `credentials.api_key`. */
  readonly field: string;
}

/** An encrypted text: `sealed:<key id>:<base64url of IV, tag and ciphertext>`. */
export type Sealed = `sealed:${string}:${string}`;

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_PATTERN = /^sealed:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]{38,})$/;

const LOCKED_DETAIL =
  'A stored secret is locked: this hub does not hold the key that it is sealed with. The operator can add the key to ' +
  'SECRET_KEYS; nothing is lost.';
const LOCKED_RETRY_AFTER_SECONDS = 60;

/**
 * Thrown if a text cannot be decrypted. The message gives the reason and contains nothing of the text. For users it is
 * `unavailable`: the secret is there and can be read again once the key is back.
 */
export class UnsealError extends HubError {
  constructor(reason: string) {
    super('unavailable', { detail: LOCKED_DETAIL, retryAfterSeconds: LOCKED_RETRY_AFTER_SECONDS });
    this.message = reason;
  }
}

/** Returns whether an error, or what caused it, is a secret that cannot be decrypted. */
export function isLocked(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof UnsealError) return true;
  return false;
}

/** Encrypts a text with AES-256-GCM, a random IV and the context as additional authenticated data. */
export function seal({ id, key }: SecretKey, context: SecretContext, text: string): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(toAdditionalData(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `sealed:${id}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/**
 * Decrypts a text that was encrypted for the same context.
 * @throws UnsealError if the key is missing, or the text was changed or belongs to another context.
 */
export function unseal(keys: readonly SecretKey[], context: SecretContext, sealed: string): string {
  const [, id, encoded] = SEALED_PATTERN.exec(sealed) ?? [];
  if (id === undefined || encoded === undefined) throw new UnsealError('This is no sealed secret.');
  const key = keys.find(known => known.id === id);
  if (!key) throw new UnsealError(`The secret was sealed with the key "${id}", which SECRET_KEYS does not hold.`);
  const bytes = Buffer.from(encoded, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(toAdditionalData(context))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new UnsealError(
      `The key "${id}" does not open this secret: key or text were changed, or it belongs elsewhere.`,
    );
  }
}

/** Returns the ID of the key that a text was encrypted with; undefined for a text that is not sealed. */
export function parseKeyId(sealed: string): string | undefined {
  return SEALED_PATTERN.exec(sealed)?.[1];
}

/** Encodes the context as JSON, which separates the parts whatever they contain. */
function toAdditionalData({ workspace, owner, field }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify([workspace, owner, field]));
}

/** A key that was derived from one of the keys of a box. */
export interface DerivedKey {
  /** ID of the key that it was derived from. */
  readonly keyId: string;
  readonly key: string;
}

/** Encrypts secrets for the database and decrypts them. */
export class SecretBox {
  readonly #keys: readonly [SecretKey, ...SecretKey[]];

  /** @param keys the first one encrypts, all of them decrypt. */
  constructor(keys: readonly SecretKey[]) {
    const [first, ...others] = keys;
    if (!first) throw new Error('a box needs a key');
    this.#keys = [first, ...others];
  }

  /** Returns the ID of the key that encrypts. */
  get currentKeyId(): string {
    return this.#keys[0].id;
  }

  /** Returns the fingerprints of all keys, the one that encrypts first. */
  get fingerprints(): string[] {
    return this.#keys.map(fingerprintKey);
  }

  /**
   * Derives a key from each of the keys, the one that encrypts first, for a library that signs and encrypts by itself. What
   * it signed or encrypted for one purpose is void for another.
   */
  deriveKeys(purpose: string): DerivedKey[] {
    return this.#keys.map(({ id, key }) => ({
      keyId: id,
      key: createHmac('sha256', key).update(`signing key for ${purpose}`).digest('base64url'),
    }));
  }

  /** Returns whether a sealed text can be opened. A key with the same ID but other bytes cannot open it. */
  canOpen(context: SecretContext, sealed: string): boolean {
    try {
      this.open(context, sealed);
      return true;
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  }

  /** Encrypts a text for a context. The result differs each time. */
  seal(context: SecretContext, text: string): Sealed {
    return seal(this.#keys[0], context, text);
  }

  /**
   * Decrypts a text that was encrypted for the same context.
   * @throws UnsealError if the key is missing, or the text was changed or belongs to another context.
   */
  open(context: SecretContext, sealed: string): string {
    return unseal(this.#keys, context, sealed);
  }

  /** Returns whether a text was encrypted with the current key; otherwise it should be resealed. */
  isCurrent(sealed: string): boolean {
    return parseKeyId(sealed) === this.currentKeyId;
  }

  /**
   * Encrypts a sealed text again with the current key.
   * @throws UnsealError if it cannot be decrypted.
   */
  reseal(context: SecretContext, sealed: string): Sealed {
    return this.seal(context, this.open(context, sealed));
  }
}
