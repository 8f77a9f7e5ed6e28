import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { HubError } from '#kernel/errors/hub-error.js';
import type { SecretKey } from './secret-keys.js';

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
