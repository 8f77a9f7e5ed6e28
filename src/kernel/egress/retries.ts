import { setTimeout as pause } from 'node:timers/promises';
import { EgressFailedError } from './egress-errors.js';
import type { EgressResponse } from './egress.client.js';

/**
 * Parses `Retry-After`, given in seconds or as a date, to milliseconds from `nowMs`; undefined if it is absent or
 * invalid.
 */
export function parseRetryAfterMs(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Number of attempts and delays between them. */
export interface RetryOptions {
  /** Total number of attempts, 1 or more. */
  readonly attempts: number;
  /** Delay after the first attempt, doubled each time, in milliseconds. Default 500. */
  readonly initialBackoffMs?: number;
  /** Maximum delay in milliseconds; a response whose `Retry-After` is longer is returned as it is. Default 30 000. */
  readonly maxBackoffMs?: number;
  readonly signal?: AbortSignal;
}

const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/**
 * Retries transient failures (429, 502, 503, 504, unreachable, timeout). Waits for `Retry-After`, else for the
 * initial backoff, doubled each time. Returns or throws the last outcome unchanged.
 */
export async function withRetries<Response extends Pick<EgressResponse, 'status' | 'headers'>>(
  { attempts, initialBackoffMs = 500, maxBackoffMs = 30_000, signal }: RetryOptions,
  send: () => Promise<Response>,
): Promise<Response> {
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
