import { types } from 'node:util';
import { HubError } from '#kernel/errors/hub-error.js';

/** SQLSTATE classes and codes after which nothing was changed and the same call may succeed later. */
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

/** Of an error from any realm: those of Node itself are of another one where modules run in a vm context. */
function codeOf(error: unknown): string {
  return types.isNativeError(error) && 'code' in error ? String(error.code) : '';
}

/** Two transactions stood in each other's way; the same one may be run again at once. */
export function isContention(error: unknown): boolean {
  return CONTENTION_SQLSTATES.has(codeOf(error)) || findViolatedConstraint(error) === 'idempotency_keys_pkey';
}

/** The unique constraint that a write ran into, by name. */
export function findViolatedConstraint(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined;
  return types.isNativeError(error) && 'constraint' in error ? String(error.constraint) : undefined;
}

/** The database is away, full, too busy or too slow: not the caller's fault, and not a bug. */
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

/** What the caller is told: `unavailable` for what passes, the error itself for everything else. */
export function toHubError(error: unknown): unknown {
  return isTransient(error) ? HubError.unavailable(undefined, error) : error;
}
