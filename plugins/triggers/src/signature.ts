import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const KEY_BYTES = { least: 24, usual: 32, most: 64 };

/** What a receiver verifies: the very bytes of the body, with id and time. */
export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function generateSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES.usual).toString('base64');
}

/** The key of a secret. @throws RangeError unless it has 24 to 64 bytes */
export function toSigningKey(secret: string): KeyObject {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (key.length < KEY_BYTES.least || key.length > KEY_BYTES.most) throw new RangeError('A key has 24 to 64 bytes.');
  // Node signs with an object of it in half the time that it takes for the bytes.
  return createSecretKey(key);
}

/** Standard Webhooks, `v1`: base64 of HMAC-SHA256 over `id.timestamp.body`. */
export function signContent(secret: string, { id, timestamp, body }: SignedContent): string {
  return `v1,${createHmac('sha256', toSigningKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The three headers; a signature for each secret that is valid, the newest first. */
export function buildSignatureHeaders(secrets: readonly string[], signed: SignedContent): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map(secret => signContent(secret, signed)).join(' '),
  };
}
