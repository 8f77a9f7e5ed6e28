import type { HttpRequest, HttpResponse, JsonObject } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import { toAddress } from '../address.js';
import { readBody, toList, toObject, toText } from '../json.js';
import { toRefusalError } from '../refusal.js';

const BASE_URL = 'https://api.attio.com';
const TIMEOUT_MS = 30_000;
const DEFAULT_RETRY_MS = 1_000;

/** Sends a request that can be repeated, and returns the response, whatever its status. */
export function callAttio(
  hub: Hub,
  path: string,
  request: Omit<HttpRequest, 'url' | 'auth'> = {},
): Promise<HttpResponse> {
  const url = toAddress(hub, BASE_URL, path);
  return hub.http.request({ attempts: 3, timeoutMs: TIMEOUT_MS, ...request, url, auth: 'connection' });
}

/** Sends a request that reads and returns the rows of its response. @throws what {@link toAttioError} returns */
export async function readAttio(
  hub: Hub,
  path: string,
  request: Omit<HttpRequest, 'url' | 'auth'> = {},
): Promise<JsonObject[]> {
  const response = await callAttio(hub, path, request);
  if (response.status === 200) return toList(toObject(response.json())['data']).map(toObject);
  throw toAttioError(response);
}

/** Converts a refusal to an error that makes the run wait, fail with what to do, or try again. */
export function toAttioError(response: HttpResponse): Error {
  return toRefusalError(response, { crm: 'Attio', describe: describeRefusal, describeForbidden, readWait });
}

/** Tells which permissions a token lacks. */
export function describeForbidden(response: HttpResponse): string {
  return (
    `The access token lacks permissions: ${describeRefusal(response)} Give it the scopes record_permission:read-write, ` +
    'object_configuration:read and user_management:read in Attio.'
  );
}

/** Returns the reason of a refusal, as Attio says it. */
export function describeRefusal(response: HttpResponse): string {
  return (toText(readBody(response)['message']) ?? 'without a reason').slice(0, 500);
}

/** Attio names the time at which the next request may come. */
function readWait({ headers }: HttpResponse): number {
  const waitMs = Date.parse(headers['retry-after'] ?? '') - Date.now();
  return Number.isNaN(waitMs) ? DEFAULT_RETRY_MS : Math.max(waitMs, DEFAULT_RETRY_MS);
}
