import {
  type HttpAnswer,
  type HttpRequest,
  type HubContext,
  isUnreachable,
  type Json,
  PermanentError,
  RetryLater,
  Unreachable,
} from '@rapport/plugin-sdk';
import { type Fields, fieldsOf, textOf } from './reading.js';
import { pauseWished } from './rate-limit.js';

/** The hub, with the credentials and settings of this plugin. */
export type Hub = HubContext<{ api_key: string }, { api_url: string }>;

const MEND = 'look at the setting api_url, or try again later.';

/** Whether the workspace has a connection; routes and tools are called without one as well. */
export function isConnected(hub: Hub): boolean {
  return 'api_key' in hub.credentials;
}

/** What a route answers without one. */
export const notConnected = {
  status: 404,
  body: { error: 'not_connected', detail: 'The workspace is not connected to Cal.com.' },
};

/** Sends a request to Cal.com and gives whatever it answers. @throws Unreachable */
export async function ask(hub: Hub, path: string, request: Omit<HttpRequest, 'url'> = {}): Promise<HttpAnswer> {
  const headers = { ...request.headers, authorization: `Bearer ${hub.credentials.api_key}` };
  const base = hub.settings.api_url.replace(/(?<!\/)\/+$/, '').replace(/\/v2$/, '');
  return hub.http.request({ ...request, url: `${base}${path}`, headers }).catch((error: unknown) => {
    throw isUnreachable(error) ? new Unreachable(`Cal.com cannot be reached: ${MEND}`, { cause: error }) : error;
  });
}

/** The fields of what Cal.com answered. @throws Unreachable when it is no JSON, such as the page of a proxy */
export function answered(answer: HttpAnswer): Fields {
  try {
    return fieldsOf(answer.json());
  } catch (cause) {
    throw new Unreachable(`Cal.com answered with something that is no JSON: ${MEND}`, { cause });
  }
}

/** Cal.com does not take this very request, and will not take it later. */
export class Refused extends PermanentError {}

/** What an answer means for a job: wait, give up, or try again by the rules of the job. */
export function failure(hub: Hub, answer: HttpAnswer): Error {
  const { status } = answer;
  if (status === 429) {
    const pauseMs = pauseWished(answer, hub.clock.now());
    const seconds = Math.ceil(pauseMs / 1000);
    return new RetryLater(pauseMs, `Cal.com is asked too often with this API key: try again in ${seconds} s.`);
  }
  if (status === 401)
    return new PermanentError('Cal.com no longer accepts the API key: connect again with another one.');
  if (status === 403)
    return new PermanentError('Cal.com does not let this API key do that: make one with full access.');
  return status === 400 || status === 414 || status === 422
    ? new Refused(`Cal.com refused this with ${status}: look whether the setting api_url leads to a Cal.com of today.`)
    : new Unreachable(`Cal.com answered ${status}: ${MEND}`);
}

/** What Cal.com says is wrong; undefined when it says nothing. It may repeat what it was sent: look before showing it. */
export function complaintIn({ text }: HttpAnswer): string | undefined {
  try {
    const { error, message } = fieldsOf(JSON.parse(text) as Json);
    return textOf(fieldsOf(error)['message'], message);
  } catch {
    return undefined;
  }
}
