import { createHash } from 'node:crypto';
import type { InboundDelivery } from '../deliveries.js';
import type { Json } from '../schema.js';
import type { InboundManifest, PluginManifest } from '../manifest/manifest.js';
import { signInbound, verifyInbound } from '../signature.js';

/**
 * Deviations from a valid webhook.
 * @example await hub.inbound('calls', payload, { signed: false }) // { status: 401, delivered: false }
 */
export interface WebhookCallOptions {
  /** Additional headers, names in lower case; they override those of the signature. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the signature is valid. Default: true. */
  readonly signed?: boolean;
}

/**
 * Response to the provider. Only handshakes have a `body`.
 * @example expect(await hub.inbound('calls', payload)).toEqual({ status: 200, delivered: true });
 */
export interface WebhookResponse {
  readonly status: 200 | 401 | 404;
  /** Whether the plugin's handler was called. */
  readonly delivered: boolean;
  readonly body?: string;
}

/** Processes a webhook as the hub does before it calls the plugin. */
export function deliverWebhook(
  { id: plugin, inbound }: PluginManifest,
  name: string,
  secrets: Readonly<Record<string, unknown>>,
  now: Date,
  payload: Json | Uint8Array,
  { headers: further = {}, signed = true }: WebhookCallOptions,
): { readonly response: WebhookResponse; readonly delivery?: InboundDelivery } {
  const manifest = inbound?.[name];
  if (!manifest) throw new Error(`The manifest of ${plugin} declares no webhook "${name}".`);
  const raw = toBytes(payload);
  const json = parseJson(raw);
  const { signature } = manifest;
  const secret = signature ? findSecret(name, signature.secretFrom, secrets) : '';
  // Key formats differ between schemes; a signature over other bytes is invalid in all of them.
  const content = { raw: signed ? raw : Buffer.from('other bytes'), id: `msg_${sha256(raw).slice(0, 12)}`, at: now };
  const signing = signature ? signInbound(signature, secret, content) : {};
  const headers = { 'content-type': 'application/json', ...signing, ...further };
  if (signature && verifyInbound(signature, secret, raw, headers, now) !== 'ok') {
    return { response: { status: 401, delivered: false } };
  }
  const echo = readHandshakeEcho(manifest, json);
  if (echo !== undefined) return { response: { status: 200, delivered: false, body: echo } };
  const id = parseEventId(manifest, headers, json) ?? sha256(raw);
  return { response: { status: 200, delivered: true }, delivery: { id, raw, headers, json, receivedAt: now } };
}

function findSecret(name: string, from: string, secrets: Readonly<Record<string, unknown>>): string {
  const secret = secrets[from];
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new Error(
    `The webhook "${name}" takes its secret from the credential "${from}", which this test does not give.`,
  );
}

function readHandshakeEcho({ handshake }: InboundManifest, json: Json | undefined): string | undefined {
  if (handshake?.method !== 'POST' || readPath(json, handshake.when.field) !== handshake.when.equals) return undefined;
  return String(readPath(json, handshake.echo) ?? '');
}

function parseEventId(
  { eventId, signature }: InboundManifest,
  headers: Readonly<Record<string, string>>,
  json: Json | undefined,
): string | undefined {
  if (!eventId) return signature?.algorithm === 'standard-webhooks' ? headers['webhook-id'] : undefined;
  const id = 'header' in eventId ? headers[eventId.header] : readPath(json, eventId.field);
  return id === undefined || id === null ? undefined : String(id);
}

function readPath(json: Json | undefined, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, key) => {
    const isObject = typeof value === 'object' && value !== null;
    return isObject ? (value as { readonly [key: string]: Json })[key] : undefined;
  }, json);
}

function toBytes(payload: Json | Uint8Array): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  return Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
}

function parseJson(raw: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}

function sha256(raw: Uint8Array): string {
  return createHash('sha256').update(raw).digest('hex');
}
