import { createHash } from 'node:crypto';
import type { InboundHandshake, InboundManifest, InboundSignature } from '#sdk/manifest.inbound.js';

/** A delivery as it stands at the door. */
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

/** The answer to a handshake, if the delivery is one. It is plain text that the provider has sent itself. */
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
 * By what a repeat of a delivery is known: what the manifest names, else the SHA-256 of the body. Standard Webhooks
 * have an id of their own.
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

/** The body as JSON; undefined when it is none. */
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

/** A field by its path, `a.b` going down. */
function readPath(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((held, name) => {
    const inside = typeof held === 'object' && held !== null && Object.hasOwn(held, name);
    return inside ? (held as Record<string, unknown>)[name] : undefined;
  }, value);
}

function toEcho(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_ECHO_LENGTH ? value : undefined;
}
