import { createHash } from 'node:crypto';
import type { InboundHandshake, InboundManifest, InboundSignature } from '#sdk/manifest.inbound.js';

/** A delivery as it stands at the door. */
export interface Delivery {
  readonly method: 'GET' | 'POST';
  readonly query: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, byte for byte. */
  readonly raw: Buffer;
}

const LONGEST_ID = 200;
const LONGEST_ECHO = 1_000;

/** The answer to a handshake, if the delivery is one. It is plain text that the provider has sent itself. */
export function handshakeAnswer(handshake: InboundHandshake | undefined, delivery: Delivery): string | undefined {
  if (!handshake || handshake.method !== delivery.method) return undefined;
  if (handshake.method === 'GET') return echo(delivery.query[handshake.echo]);
  const body = jsonOf(delivery.raw);
  return fieldOf(body, handshake.when.field) === handshake.when.equals
    ? echo(fieldOf(body, handshake.echo))
    : undefined;
}

/**
 * By what a repeat of a delivery is known: what the manifest names, else the SHA-256 of the body. Standard Webhooks
 * have an id of their own.
 */
export function eventIdOf({ eventId, signature }: InboundManifest, { headers, raw }: Delivery): string {
  const header = eventId && 'header' in eventId ? eventId.header.toLowerCase() : standardId(signature);
  const named = header
    ? headers[header]
    : eventId && 'field' in eventId
      ? fieldOf(jsonOf(raw), eventId.field)
      : undefined;
  const usable = (typeof named === 'string' && named !== '') || typeof named === 'number';
  const text = usable ? String(named) : undefined;
  if (text === undefined) return `sha256:${createHash('sha256').update(raw).digest('hex')}`;
  const isShort = text.length <= LONGEST_ID && !text.includes('\0');
  return isShort ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The body as JSON; undefined when it is none. */
export function jsonOf(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
}

function standardId(signature: InboundSignature | null): string | undefined {
  return signature?.algorithm === 'standard-webhooks' ? 'webhook-id' : undefined;
}

/** A field by its path, `a.b` going down. */
function fieldOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((held, name) => {
    const inside = typeof held === 'object' && held !== null && Object.hasOwn(held, name);
    return inside ? (held as Record<string, unknown>)[name] : undefined;
  }, value);
}

function echo(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LONGEST_ECHO ? value : undefined;
}
