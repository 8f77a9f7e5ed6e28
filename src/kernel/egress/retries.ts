import { setTimeout as pause } from 'node:timers/promises';
import { EgressFailedError } from './egress-errors.js';
import type { EgressResponse } from './egress.client.js';
import { parseRetryAfterMs } from './retry-after.js';

/** How often and how patiently a request is tried. */
export interface RetryOptions {
  /** Tries in all, 1 or more. */
  readonly attempts: number;
  /** The pause after the first try, doubled each time, in milliseconds. Default 500. */
  readonly initialBackoffMs?: number;
  /** The longest pause; an answer that asks for a longer one is given back as it is. Default 30 000. */
  readonly maxBackoffMs?: number;
  readonly signal?: AbortSignal;
}

const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/**
 * Tries until an answer comes that is not a passing failure (429, 502, 503, 504, no connection, no answer in time).
 * Waits as `Retry-After` says, else 0.5 s doubled each time. The last answer or failure is given back as it is.
 */
export async function withRetries(
  { attempts, initialBackoffMs = 500, maxBackoffMs = 30_000, signal }: RetryOptions,
  send: () => Promise<EgressResponse>,
): Promise<EgressResponse> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await send().catch(rethrowUnlessTransient);
    const failed = outcome instanceof Error;
    const delayMs =
      (failed ? undefined : parseRetryAfterMs(outcome.headers['retry-after'])) ?? initialBackoffMs * 2 ** (attempt - 1);
    const shouldRetry =
      attempt < attempts && delayMs <= maxBackoffMs && (failed || RETRYABLE_STATUSES.has(outcome.status));
    if (!shouldRetry) {
      if (failed) throw outcome;
      return outcome;
    }
    await pause(delayMs, undefined, { signal }).catch(() => {
      throw new EgressFailedError('aborted', 'The request was called off.');
    });
  }
}

function rethrowUnlessTransient(error: unknown): EgressFailedError {
  if (error instanceof EgressFailedError && (error.fault === 'unreachable' || error.fault === 'timeout')) return error;
  throw error;
}
