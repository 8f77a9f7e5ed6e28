import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { type HttpResponse, type HubContext, isUnreachable } from '@rapport/plugin-sdk';
import { type AttemptOutcome, recordOutcome, type Health } from './circuit-breaker.js';
import { parseRetryAfterMs, computeRetryDelayMs } from './retry-schedule.js';
import { type Attempt, type Delivery, redactExcerpt, withAttempt } from './delivery.js';
import { type Endpoint, listValidSecrets } from './endpoint.js';
import { buildRequestHeaders } from './endpoint.input.js';

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

/** An answer of a receiver; status null when there was none. */
export interface EndpointResponse {
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const THROTTLING = new Set([429, 502, 503, 504]);

/** Only 2xx is a success. 410 says that nobody wants more; 429, 502, 503 and 504 may say when to come again. */
export function classifyResponse({ status, headers }: EndpointResponse, now: number): AttemptOutcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'failed', gone: true };
  const wishMs = status !== null && THROTTLING.has(status) ? parseRetryAfterMs(headers['retry-after'], now) : undefined;
  return {
    kind: 'failed',
    ...(wishMs !== undefined && { wishMs }),
    ...(status === 429 && { throttled: true }),
  };
}

/** Time limit of a request, in milliseconds. */
export const TIMEOUT_MS = 15_000;

/** An attempt with its outcome. */
export interface SendResult {
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome;
}

/** Signs and sends a delivery once. @throws errors that the receiver did not cause, such as an aborted handler */
export async function send(
  hub: HubContext,
  endpoint: Endpoint,
  delivery: Delivery,
  timeoutMs = TIMEOUT_MS,
): Promise<SendResult> {
  const startedAt = hub.clock.now().getTime();
  const { message_id: id, body } = delivery;
  const signed = { id, timestamp: Math.floor(startedAt / 1000), body };
  const headers = buildRequestHeaders(
    endpoint.headers,
    buildSignatureHeaders(listValidSecrets(endpoint, startedAt), signed),
  );
  const answer = await hub.http
    .request({ method: 'POST', url: endpoint.url, headers, body, timeoutMs, attempts: 1 })
    .catch((error: unknown) => toUnreachable(error, hub));
  const now = hub.clock.now().getTime();
  const request = { method: 'POST', url: endpoint.url, headers: Object.keys(headers) } as const;
  const hidden = [...Object.values(endpoint.headers), ...endpoint.secrets.map(({ secret }) => secret)];
  const response =
    'unreachable' in answer ? toUnreachableAttempt(answer.unreachable) : toResponseAttempt(answer, hidden);
  return {
    attempt: { at: new Date(startedAt).toISOString(), ms: now - startedAt, request, ...response },
    outcome: classifyResponse('unreachable' in answer ? { status: null, headers: {} } : answer, now),
  };
}

/** Returns the delivery and the health of its endpoint after an attempt. */
export function applySendResult({ attempt, outcome }: SendResult, delivery: Delivery, health: Health, now: number) {
  const tried = withAttempt(delivery, attempt);
  const next = recordOutcome(health, outcome, now);
  if (outcome.kind === 'delivered') return { delivery: { ...tried, state: 'delivered' as const }, health: next };
  const failures = delivery.failures + 1;
  const pause = outcome.gone ? undefined : computeRetryDelayMs(failures, delivery.message_id);
  if (pause === undefined) return { delivery: { ...tried, failures, state: 'failed' as const }, health: next };
  const next_at = new Date(now + Math.max(pause, outcome.wishMs ?? 0)).toISOString();
  return { delivery: { ...tried, failures, next_at }, health: next };
}

function toUnreachable(error: unknown, { signal }: HubContext): { readonly unreachable: string } {
  if (!isUnreachable(error) || signal.aborted) throw error;
  return { unreachable: error.message };
}

function toUnreachableAttempt(error: string) {
  return { status: null, response: null, error: error.slice(0, 300) };
}

function toResponseAttempt({ status, text }: HttpResponse, hidden: readonly string[]) {
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect ? 'Redirects are not followed: give the address that it leads to.' : null;
  return { status, response: redactExcerpt(text, hidden), error };
}
