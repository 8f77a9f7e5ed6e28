import { setTimeout as pause } from 'node:timers/promises';
import { EgressFailed } from './egress-errors.js';
import type { EgressAnswer } from './egress.client.js';
import { retryAfterMs } from './retry-after.js';

/** How often and how patiently a request is tried. */
export interface Retries {
  /** Tries in all, 1 or more. */
  readonly attempts: number;
  /** The pause after the first try, doubled each time, in milliseconds. Default 500. */
  readonly firstPauseMs?: number;
  /** The longest pause; an answer that asks for a longer one is given back as it is. Default 30 000. */
  readonly longestPauseMs?: number;
  readonly signal?: AbortSignal;
}

const passing = new Set([429, 502, 503, 504]);

/**
 * Tries until an answer comes that is not a passing failure (429, 502, 503, 504, no connection, no answer in time).
 * Waits as `Retry-After` says, else 0.5 s doubled each time. The last answer or failure is given back as it is.
 */
export async function withRetries(
  { attempts, firstPauseMs = 500, longestPauseMs = 30_000, signal }: Retries,
  send: () => Promise<EgressAnswer>,
): Promise<EgressAnswer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await send().catch(unlessPassing);
    const failed = outcome instanceof Error;
    const wait =
      (failed ? undefined : retryAfterMs(outcome.headers['retry-after'])) ?? firstPauseMs * 2 ** (attempt - 1);
    const again = attempt < attempts && wait <= longestPauseMs && (failed || passing.has(outcome.status));
    if (!again) {
      if (failed) throw outcome;
      return outcome;
    }
    await pause(wait, undefined, { signal }).catch(() => {
      throw new EgressFailed('aborted', 'The request was called off.');
    });
  }
}

function unlessPassing(error: unknown): EgressFailed {
  if (error instanceof EgressFailed && (error.fault === 'unreachable' || error.fault === 'timeout')) return error;
  throw error;
}
