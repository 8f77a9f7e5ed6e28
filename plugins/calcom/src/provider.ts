import {
  type HttpResponse,
  type HttpRequest,
  isUnreachable,
  type Json,
  PermanentError,
  RetryLater,
  UnreachableError,
} from '@rapport/plugin-sdk';
import { type Fields, toFields, findText } from './json-fields.js';
import type { Hub } from './plugin.js';

/** Of the requests that Cal.com allows, what stays for people who work with the same key. */
const MIN_REMAINING_REQUESTS = 20;
const DEFAULT_RETRY_AFTER_MS = 60_000;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Above this a number of seconds is one since 1970, as one page of Cal.com has it. */
const EPOCH_SECONDS_THRESHOLD = 1_000_000_000;

/** How long Cal.com asks to be left alone after a 429, in milliseconds: until its own limit begins anew, else a minute. */
export function retryAfterMs({ headers }: Pick<HttpResponse, 'headers'>, now: Date): number {
  const reset = headers['x-ratelimit-reset-default'] ?? headers['x-ratelimit-reset'] ?? headers['retry-after'];
  const seconds = reset === undefined || reset.trim() === '' ? NaN : Number(reset);
  if (!Number.isFinite(seconds) || seconds < 0) return DEFAULT_RETRY_AFTER_MS;
  const ms = seconds > EPOCH_SECONDS_THRESHOLD ? seconds * 1000 - now.getTime() : seconds * 1000;
  return Math.min(Math.max(ms, 1000), MAX_RETRY_AFTER_MS);
}

/** How long to rest before the next request, in milliseconds: 0 while enough of the limit is left. */
export function rateLimitDelayMs(answer: Pick<HttpResponse, 'headers'>, now: Date): number {
  const left = answer.headers['x-ratelimit-remaining-default'] ?? answer.headers['x-ratelimit-remaining'];
  if (left === undefined || !(Number(left) <= MIN_REMAINING_REQUESTS)) return 0;
  return retryAfterMs(answer, now);
}

const FIX_HINT = 'look at the setting api_url, or try again later.';

/**
 * Sends a request to Cal.com and returns the response, whatever its status.
 * @throws UnreachableError if there is none
 */
export async function callApi(hub: Hub, path: string, request: Omit<HttpRequest, 'url'> = {}): Promise<HttpResponse> {
  const headers = { ...request.headers, authorization: `Bearer ${hub.credentials.api_key}` };
  const base = hub.settings.api_url.replace(/(?<!\/)\/+$/, '').replace(/\/v2$/, '');
  return hub.http.request({ ...request, url: `${base}${path}`, headers }).catch((error: unknown) => {
    throw isUnreachable(error)
      ? new UnreachableError(`Cal.com cannot be reached: ${FIX_HINT}`, { cause: error })
      : error;
  });
}

/** Returns the fields of a response. @throws UnreachableError if it is not JSON, such as the page of a proxy */
export function parseBody(answer: HttpResponse): Fields {
  try {
    return toFields(answer.json());
  } catch (cause) {
    throw new UnreachableError(`Cal.com answered with something that is no JSON: ${FIX_HINT}`, { cause });
  }
}

/** Cal.com rejected the request; a retry does not help. */
export class RequestRejectedError extends PermanentError {}

/** Converts an error response to an error that makes the job wait, fail for good, or retry. */
export function toError(hub: Hub, answer: HttpResponse): Error {
  const { status } = answer;
  if (status === 429) {
    const pauseMs = retryAfterMs(answer, hub.clock.now());
    const seconds = Math.ceil(pauseMs / 1000);
    return new RetryLater(pauseMs, `Cal.com is asked too often with this API key: try again in ${seconds} s.`);
  }
  if (status === 401)
    return new PermanentError('Cal.com no longer accepts the API key: connect again with another one.');
  if (status === 403)
    return new PermanentError('Cal.com does not let this API key do that: make one with full access.');
  return status === 400 || status === 414 || status === 422
    ? new RequestRejectedError(
        `Cal.com refused this with ${status}: look whether the setting api_url leads to a Cal.com of today.`,
      )
    : new UnreachableError(`Cal.com answered ${status}: ${FIX_HINT}`);
}

/** Returns the error message of Cal.com; undefined if there is none. It may echo the request, including secrets. */
export function errorMessageIn({ text }: HttpResponse): string | undefined {
  try {
    const { error, message } = toFields(JSON.parse(text) as Json);
    return findText(toFields(error)['message'], message);
  } catch {
    return undefined;
  }
}
