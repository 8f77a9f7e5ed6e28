import { truncate } from './truncate.js';
import { RETRY_SCHEDULE } from './retry-schedule.js';

/** A message on its way to one endpoint. Times are ISO 8601. */
export type Delivery = {
  /** In the order in which messages landed. */
  readonly id: string;
  /** `webhook-id`. */
  readonly message_id: string;
  readonly event: string;
  /** Whom it is about: what is about one entity is sent in its order. */
  readonly entity_id: string;
  /** As it is sent. */
  readonly body: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Failed attempts since it was sent or asked for again. */
  readonly failures: number;
  readonly next_at: string;
  readonly created_at: string;
  /** The latest ones, the newest last. */
  readonly attempts: readonly Attempt[];
};

/** What one attempt came to. */
export type Attempt = {
  readonly at: string;
  readonly ms: number;
  readonly request: { readonly method: 'POST'; readonly url: string; readonly headers: readonly string[] };
  readonly status: number | null;
  /** The beginning of the answer. */
  readonly response: string | null;
  readonly error: string | null;
};

const MAX_PAYLOAD_EXCERPT_LENGTH = 1_000;
const MAX_STORED_ATTEMPTS = 15;
const MAX_STORED_RESPONSE_LENGTH = 1_000;

/** The id of a delivery: sorts by the time at which its message landed. */
export function deliveryId(landedAt: string, observationId: string): string {
  return `${String(Date.parse(landedAt)).padStart(14, '0')}${landedAt.slice(23, 26).padEnd(3, '0').replaceAll(/\D/g, '0')}-${observationId}`;
}

/** When the message of a delivery landed, to the millisecond; ISO 8601. */
export function deliveryTimeOf({ id }: Pick<Delivery, 'id'>): string {
  return new Date(Number(id.slice(0, 14))).toISOString();
}

/** The delivery with one more attempt. */
export function withAttempt(delivery: Delivery, attempt: Attempt): Delivery {
  return { ...delivery, attempts: [...delivery.attempts, attempt].slice(-MAX_STORED_ATTEMPTS) };
}

/** Part of what was answered, without the values that the endpoint's own headers hold. */
export function redactExcerpt(text: string, hidden: readonly string[]): string {
  const secrets = hidden.filter(value => value.length > 3);
  const clean = secrets.reduce(
    (rest, value) => rest.replaceAll(value, '[hidden]'),
    text.slice(0, MAX_STORED_RESPONSE_LENGTH * 2),
  );
  return truncate(clean, MAX_STORED_RESPONSE_LENGTH).toWellFormed().replaceAll('\0', '');
}

/** As the log shows it: of the payload the beginning. */
export function toDeliveryResponse({ id, message_id, event, entity_id, body, ...rest }: Delivery) {
  const { state, created_at, next_at, attempts } = rest;
  return {
    id,
    message_id,
    event,
    entity_id,
    state,
    created_at,
    next_attempt_at: state === 'waiting' ? next_at : null,
    attempts_left: state === 'waiting' ? RETRY_SCHEDULE.length - rest.failures : 0,
    payload: truncate(body, MAX_PAYLOAD_EXCERPT_LENGTH),
    attempts: attempts.map(attempt => ({ ...attempt, request: { ...attempt.request } })),
  };
}
