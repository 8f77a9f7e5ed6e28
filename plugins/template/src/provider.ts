import { type HttpResponse, type HttpRequest, type Json, PermanentError, RetryLater } from '@rapport/plugin-sdk';
import type { Hub } from './plugin.js';

/** Sends a request to Acme Dialer and returns the response, whatever its status. */
export function callApi(hub: Hub, path: string, request: Omit<HttpRequest, 'url'> = {}): Promise<HttpResponse> {
  const headers = { ...request.headers, authorization: `Bearer ${hub.credentials.api_key}` };
  return hub.http.request({ ...request, url: path, headers });
}

/** Lists the latest calls with a person. */
export async function listCalls(hub: Hub, email: string): Promise<readonly Json[]> {
  const answer = await callApi(hub, '/v1/calls', { query: { email, limit: 100 } });
  if (answer.status === 200) return answer.json<{ calls?: readonly Json[] }>().calls ?? [];
  throw toError(answer);
}

/** Converts an error response to an error that makes the job wait, fail for good, or retry. */
export function toError({ status, headers }: HttpResponse): Error {
  if (status === 429) return new RetryLater(Number(headers['retry-after'] ?? 60) * 1000);
  if (status === 401 || status === 403)
    return new PermanentError('Acme Dialer no longer accepts the API key: connect it again.');
  return new Error(`Acme Dialer answered ${status}.`);
}
