import {
  type HttpAnswer,
  type HttpRequest,
  type HubContext,
  type Json,
  PermanentError,
  RetryLater,
} from '@rapport/plugin-sdk';
import { fieldsOf, textOf } from './reading.js';
import { pauseWished } from './rate-limit.js';

/** The hub, with the credentials and settings of this plugin. */
export type Hub = HubContext<{ api_key: string }, { api_url: string }>;

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
export function ask(hub: Hub, path: string, request: Omit<HttpRequest, 'url'> = {}): Promise<HttpAnswer> {
  const headers = { ...request.headers, authorization: `Bearer ${hub.credentials.api_key}` };
  const base = hub.settings.api_url.replace(/\/+$/, '').replace(/\/v2$/, '');
  return hub.http.request({ ...request, url: `${base}${path}`, headers });
}

/** Cal.com does not take this very request, and will not take it later. */
export class Refused extends PermanentError {}

/** What an answer means for a job: wait, give up, or try again by the rules of the job. */
export function failure(hub: Hub, answer: HttpAnswer): Error {
  const { status } = answer;
  if (status === 429) return new RetryLater(pauseWished(answer, hub.clock.now()));
  if (status === 401)
    return new PermanentError('Cal.com no longer accepts the API key: connect again with another one.');
  if (status === 403)
    return new PermanentError('Cal.com does not let this API key do that: make one with full access.');
  const message = `Cal.com answered ${status}.`;
  return status === 400 || status === 414 || status === 422 ? new Refused(message) : new Error(message);
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
