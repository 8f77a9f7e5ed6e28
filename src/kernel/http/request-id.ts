import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTED_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;
const MAX_COUNT = 16 ** 7;

/** Distinguishes this process from all others; begins with the variant digit of a UUID. */
const processSuffix = randomUUID().slice(19, 32);
let count = 0;

/**
 * Returns the ID of a request: the caller's `x-request-id` if it has 8 to 64 letters, digits, dots, dashes or
 * underscores, else a new one.
 */
export function resolveRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : newRequestId();
}

/**
 * Creates a UUIDv7 from the time, a counter and a suffix of this process: unique and ordered, but not secret. Random
 * bits for each request would cost more than routing it.
 */
export function newRequestId(): string {
  count = (count + 1) % MAX_COUNT;
  const time = Date.now().toString(16).padStart(12, '0');
  const number = count.toString(16).padStart(7, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-${processSuffix}${number.slice(3)}`;
}
