import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTED_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;
const MAX_COUNT = 16 ** 7;

/** The part that tells this process from all others, with the variant digit of a UUID in front. */
const processSuffix = randomUUID().slice(19, 32);
let count = 0;

/**
 * The id of a request: the caller's own `x-request-id` where it is 8 to 64 letters, digits, dots, dashes or
 * underscores, else a new one.
 */
export function resolveRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : newRequestId();
}

/**
 * A UUIDv7 of the time, a count and what is ours: unique and in order, yet no secret. It is made for every request,
 * and asking for fresh random bits each time would cost more than routing.
 */
export function newRequestId(): string {
  count = (count + 1) % MAX_COUNT;
  const time = Date.now().toString(16).padStart(12, '0');
  const number = count.toString(16).padStart(7, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-${processSuffix}${number.slice(3)}`;
}
