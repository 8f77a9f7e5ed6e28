import { RETRY_SCHEDULE } from './retry-schedule.js';

/** At most so many UTF-16 units of a text; a sign that takes two of them is not cut in half. */
export function truncate(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** A message on its way to one endpoint. Times are ISO 8601. */
export type Delivery = {
  /** Sorts by the time at which the interaction was recorded. */
  readonly id: string;
  /** `webhook-id`. */
  readonly message_id: string;
  readonly event: string;
  /** The subject; deliveries about one entity are sent in order. */
  readonly entity_id: string;
  /** The request body. */
  readonly body: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Failed attempts since the delivery was created or retried manually. */
  readonly failures: number;
  readonly next_at: string;
  readonly created_at: string;
  /** The latest attempts, newest last. */
  readonly attempts: readonly Attempt[];
};

/** A logged attempt. */
export type Attempt = {
  readonly at: string;
  readonly ms: number;
  readonly request: { readonly method: 'POST'; readonly url: string; readonly headers: readonly string[] };
  readonly status: number | null;
  /** The beginning of the response body. */
  readonly response: string | null;
  readonly error: string | null;
};

const MAX_PAYLOAD_EXCERPT_LENGTH = 1_000;
const MAX_STORED_ATTEMPTS = 15;
const MAX_STORED_RESPONSE_LENGTH = 1_000;

/** Builds a delivery ID that sorts by the time at which the interaction was recorded. */
export function deliveryId(landedAt: string, observationId: string): string {
  return `${String(Date.parse(landedAt)).padStart(14, '0')}${landedAt.slice(23, 26).padEnd(3, '0').replaceAll(/\D/g, '0')}-${observationId}`;
}

/** Returns the time at which the interaction was recorded, to the millisecond; ISO 8601. */
export function deliveryTimeOf({ id }: Pick<Delivery, 'id'>): string {
  return new Date(Number(id.slice(0, 14))).toISOString();
}

/** Returns the delivery with one more attempt. */
export function withAttempt(delivery: Delivery, attempt: Attempt): Delivery {
  return { ...delivery, attempts: [...delivery.attempts, attempt].slice(-MAX_STORED_ATTEMPTS) };
}

/** Returns the beginning of a response with the given secrets redacted. */
export function redactExcerpt(text: string, hidden: readonly string[]): string {
  const secrets = hidden.filter(value => value.length > 3);
  const clean = secrets.reduce(
    (rest, value) => rest.replaceAll(value, '[hidden]'),
    text.slice(0, MAX_STORED_RESPONSE_LENGTH * 2),
  );
  return truncate(clean, MAX_STORED_RESPONSE_LENGTH).toWellFormed().replaceAll('\0', '');
}

/** Converts a delivery for the API, with the beginning of its payload. */
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

/** Deliveries about one entity in order: each is sent after the previous one was delivered or has failed. */
export type EntityLane = readonly Delivery[];

/** Due deliveries, and the time at which the next one is due. */
export interface DueDeliveries {
  readonly lines: readonly EntityLane[];
  /** Milliseconds since 1970; null if none is scheduled. */
  readonly nextAt: number | null;
}

/**
 * Finds the due deliveries, grouped by entity. A delivery that is not due delays only later ones about the same entity.
 * @param waiting deliveries in order of their IDs
 * @param recoveredAt time of recovery of the endpoint; deliveries attempted before it are due again
 */
export function findDueDeliveries(
  waiting: readonly Delivery[],
  now: number,
  recoveredAt: number | null,
): DueDeliveries {
  const lines = new Map<string, Delivery[]>();
  const held = new Set<string>();
  let nextAt: number | null = null;
  for (const delivery of waiting) {
    if (held.has(delivery.entity_id)) continue;
    const at = computeDueTime(delivery, recoveredAt);
    if (at > now) {
      held.add(delivery.entity_id);
      nextAt = Math.min(nextAt ?? Infinity, at);
    } else lines.set(delivery.entity_id, [...(lines.get(delivery.entity_id) ?? []), delivery]);
  }
  return { lines: [...lines.values()], nextAt };
}

function computeDueTime({ next_at, attempts }: Delivery, recoveredAt: number | null): number {
  const last = attempts.at(-1);
  return last && recoveredAt !== null && Date.parse(last.at) < recoveredAt ? recoveredAt : Date.parse(next_at);
}
