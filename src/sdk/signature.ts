import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacSignature, InboundSignature } from './manifest/manifest.js';

const TOLERANCE_SECONDS = 300;

/**
 * The signed parts of a webhook.
 * @example { raw: Buffer.from('{}'), id: 'evt-1', at: new Date() }
 */
export interface SignedContent {
  /** The raw bytes of the body. */
  readonly raw: Uint8Array;
  /** ID of the webhook, signed only by `standard-webhooks`. */
  readonly id: string;
  /** Time of sending. */
  readonly at: Date;
}

/**
 * Result of `verifyInbound`: `missing` if a header is missing, `stale` if the time is outside the tolerance, `wrong`
 * if the signature does not match.
 * @example if (verdict !== 'ok') return reject(401);
 */
export type SignatureVerdict = 'ok' | 'missing' | 'stale' | 'wrong';

/**
 * Builds the signature headers of a webhook, as declared by the manifest.
 * @param secret for `standard-webhooks` the key in base64, with or without `whsec_`; otherwise the key as text
 * @example signInbound(manifest.inbound.calls.signature, secret, { raw, id: 'evt-1', at: hub.clock.now() })
 */
export function signInbound(
  signature: InboundSignature,
  secret: string,
  content: SignedContent,
): Record<string, string> {
  const { raw, id, at } = content;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  if (signature.algorithm === 'standard-webhooks') {
    const value = `v1,${standardHash(secret, id, timestamp, raw)}`;
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': value };
  }
  const { header, prefix = '', timestampHeader } = signature;
  return {
    [header]: prefix + hmacHash(signature, secret, timestamp, raw),
    ...(timestampHeader && { [timestampHeader]: timestamp }),
  };
}

/**
 * Verifies the signature of a webhook. Compares in constant time.
 * @param headers with names in lower case
 * @example verifyInbound(signature, secret, raw, headers, new Date()) === 'ok'
 */
export function verifyInbound(
  signature: InboundSignature,
  secret: string,
  raw: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
  now: Date,
): SignatureVerdict {
  const isStandard = signature.algorithm === 'standard-webhooks';
  const timestampHeader = isStandard ? 'webhook-timestamp' : signature.timestampHeader;
  const sent = headers[isStandard ? 'webhook-signature' : signature.header];
  const timestamp = timestampHeader === undefined ? '' : headers[timestampHeader];
  if (!sent || timestamp === undefined || (isStandard && !headers['webhook-id'])) return 'missing';
  const tolerance = (isStandard ? undefined : signature.toleranceSeconds) ?? TOLERANCE_SECONDS;
  if (timestampHeader && !isWithinTolerance(timestamp, now, tolerance)) return 'stale';
  if (isStandard) {
    const expected = `v1,${standardHash(secret, headers['webhook-id']!, timestamp, raw)}`;
    return sent.split(' ').some(value => isEqualConstantTime(value, expected)) ? 'ok' : 'wrong';
  }
  const expected = (signature.prefix ?? '') + hmacHash(signature, secret, timestamp, raw);
  return isEqualConstantTime(
    signature.encoding === 'base64' ? sent : sent.toLowerCase(),
    normalizeCase(signature, expected),
  )
    ? 'ok'
    : 'wrong';
}

function normalizeCase({ encoding }: HmacSignature, text: string): string {
  return encoding === 'base64' ? text : text.toLowerCase();
}

function hmacHash(signature: HmacSignature, secret: string, timestamp: string, raw: Uint8Array): string {
  const { algorithm, encoding = 'hex', signed = '{body}' } = signature;
  const hash = createHmac(algorithm.slice('hmac-'.length), secret);
  const [before = '', ...after] = signed.replaceAll('{timestamp}', timestamp).split('{body}');
  hash.update(before);
  for (const text of after) hash.update(raw).update(text);
  return hash.digest(encoding);
}

function standardHash(secret: string, id: string, timestamp: string, raw: Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
}

function isWithinTolerance(timestamp: string, now: Date, toleranceSeconds: number): boolean {
  return /^\d{1,15}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds;
}

function isEqualConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
