import { type HttpResponse, type HubContext, isUnreachable } from '@rapport/plugin-sdk';
import { type Attempt, type Delivery, redactExcerpt, withAttempt } from './delivery.js';
import { type Endpoint, listValidSecrets } from './endpoint.js';
import { buildRequestHeaders } from './headers.js';
import { recordOutcome, type Health, type AttemptOutcome } from './circuit-breaker.js';
import { classifyResponse } from './outcome.js';
import { computeRetryDelayMs } from './retry-schedule.js';
import { buildSignatureHeaders } from './signature.js';

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
  const begun = hub.clock.now().getTime();
  const { message_id: id, body } = delivery;
  const signed = { id, timestamp: Math.floor(begun / 1000), body };
  const headers = buildRequestHeaders(
    endpoint.headers,
    buildSignatureHeaders(listValidSecrets(endpoint, begun), signed),
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
    attempt: { at: new Date(begun).toISOString(), ms: now - begun, request, ...response },
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
