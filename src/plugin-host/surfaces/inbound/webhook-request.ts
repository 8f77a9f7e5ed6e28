import { createHash } from 'node:crypto';
import type { InboundHandshake, InboundManifest, InboundSignature } from '#sdk/manifest/manifest.js';

/** The HTTP request of a webhook, before its signature is verified. */
export interface WebhookRequest {
  readonly method: 'GET' | 'POST';
  readonly query: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, byte for byte. */
  readonly rawBody: Buffer;
}

const MAX_ID_LENGTH = 200;
const MAX_ECHO_LENGTH = 1_000;

/** Returns the text to echo if the request is a handshake, else undefined. The text comes from the request itself. */
export function toHandshakeResponse(
  handshake: InboundHandshake | undefined,
  request: WebhookRequest,
): string | undefined {
  if (!handshake || handshake.method !== request.method) return undefined;
  if (handshake.method === 'GET') return toEcho(request.query[handshake.echo]);
  const body = parseJsonBody(request.rawBody);
  return readPath(body, handshake.when.field) === handshake.when.equals
    ? toEcho(readPath(body, handshake.echo))
    : undefined;
}

/**
 * Returns the ID by which repeats of a delivery are detected: the header or field that the manifest names, the
 * `webhook-id` header of Standard Webhooks, or else the SHA-256 of the body. IDs over 200 characters are hashed.
 */
export function computeEventId({ eventId, signature }: InboundManifest, { headers, rawBody }: WebhookRequest): string {
  const header = eventId && 'header' in eventId ? eventId.header.toLowerCase() : standardWebhooksIdHeader(signature);
  const candidate = header
    ? headers[header]
    : eventId && 'field' in eventId
      ? readPath(parseJsonBody(rawBody), eventId.field)
      : undefined;
  const usable = (typeof candidate === 'string' && candidate !== '') || typeof candidate === 'number';
  const text = usable ? String(candidate) : undefined;
  if (text === undefined) return `sha256:${createHash('sha256').update(rawBody).digest('hex')}`;
  const isShort = text.length <= MAX_ID_LENGTH && !text.includes('\0');
  return isShort ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Parses the body as JSON; returns undefined if it is not JSON. */
export function parseJsonBody(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
}

function standardWebhooksIdHeader(signature: InboundSignature | null): string | undefined {
  return signature?.algorithm === 'standard-webhooks' ? 'webhook-id' : undefined;
}

/** Returns the field at a dotted path, such as `a.b`. */
function readPath(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((parent, name) => {
    const hasField = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name);
    return hasField ? (parent as Record<string, unknown>)[name] : undefined;
  }, value);
}

function toEcho(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_ECHO_LENGTH ? value : undefined;
}
