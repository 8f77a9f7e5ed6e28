import { type HttpResponse, PermanentError, RetryLater } from '@rapport/plugin-sdk';

/** How a CRM says what it refuses. */
export interface RefusalWords {
  /** Name of the CRM. */
  readonly crm: string;
  /** Returns the reason of a refusal. */
  readonly describe: (response: HttpResponse) => string;
  /** Tells which permissions are missing, from a response with status 403. */
  readonly describeForbidden: (response: HttpResponse) => string;
  /** Returns how long to wait after a response with status 429, in milliseconds. */
  readonly readWait: (response: HttpResponse) => number;
}

/** Converts a refusal to an error that makes the run wait, fail with what to do, or try again. */
export function toRefusalError(response: HttpResponse, words: RefusalWords): Error {
  const { status } = response;
  const { crm } = words;
  if (status === 429) return new RetryLater(words.readWait(response), `${crm} is asked too often.`);
  if (status === 401)
    return new PermanentError(`${crm} no longer accepts the access token: connect again with another one.`);
  if (status === 403) return new PermanentError(words.describeForbidden(response));
  return status >= 400 && status < 500
    ? new PermanentError(`${crm} refused a request with ${status}: ${words.describe(response)}`)
    : new Error(`${crm} responded with ${status}.`);
}
