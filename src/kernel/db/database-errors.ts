import { types } from 'node:util';
import { HubError } from '#kernel/errors/hub-error.js';

/** SQLSTATE classes and codes of failures that changed nothing and may succeed on a retry. */
const TRANSIENT_SQLSTATES = [/^08/, /^53/, /^57P/, /^25P0[34]$/, /^57014$/, /^55P03$/];
const CONTENTION_SQLSTATES = new Set(['40001', '40P01']);
const NETWORK_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
const DRIVER_ERROR_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Query read timeout|stream was destroyed/i;

/** Returns the `code` of an error from any realm: in a vm context, errors of Node belong to another realm. */
function codeOf(error: unknown): string {
  return types.isNativeError(error) && 'code' in error ? String(error.code) : '';
}

/** Returns whether a transaction failed because of a concurrent one and can be retried at once. */
export function isContention(error: unknown): boolean {
  return CONTENTION_SQLSTATES.has(codeOf(error)) || findViolatedConstraint(error) === 'idempotency_keys_pkey';
}

/** Returns the name of the unique constraint that a write violated. */
export function findViolatedConstraint(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined;
  return types.isNativeError(error) && 'constraint' in error ? String(error.constraint) : undefined;
}

/** Returns whether the database is unreachable, overloaded or too slow, as opposed to a caller's mistake or a bug. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (
    TRANSIENT_SQLSTATES.some(pattern => pattern.test(code)) ||
    NETWORK_ERROR_CODES.has(code) ||
    CONTENTION_SQLSTATES.has(code)
  )
    return true;
  return types.isNativeError(error) && DRIVER_ERROR_MESSAGES.test(error.message);
}

/** Converts transient failures to HubError `unavailable`; returns every other error unchanged. */
export function toHubError(error: unknown): unknown {
  return isTransient(error) ? HubError.unavailable(undefined, error) : error;
}
