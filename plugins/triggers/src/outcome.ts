import type { AttemptOutcome } from './circuit-breaker.js';
import { parseRetryAfterMs } from './retry-schedule.js';

/** An answer of a receiver; status null when there was none. */
export interface EndpointResponse {
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const THROTTLING = new Set([429, 502, 503, 504]);

/** Only 2xx is a success. 410 says that nobody wants more; 429, 502, 503 and 504 may say when to come again. */
export function classifyResponse({ status, headers }: EndpointResponse, now: number): AttemptOutcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'failed', gone: true };
  const wishMs = status !== null && THROTTLING.has(status) ? parseRetryAfterMs(headers['retry-after'], now) : undefined;
  return {
    kind: 'failed',
    ...(wishMs !== undefined && { wishMs }),
    ...(status === 429 && { throttled: true }),
  };
}
