import type { HttpRequest, HttpResponse, JsonObject } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import { toAddress } from '../address.js';
import { readBody, toList, toObject, toText } from '../json.js';
import { toRefusalError } from '../refusal.js';

const BASE_URL = 'https://api.pipedrive.com';
const TIMEOUT_MS = 30_000;
/** Most rows of a page. */
const PAGE_LIMIT = 500;
const DEFAULT_RETRY_MS = 2_000;
/** The limits of a day are tried again each quarter of an hour. */
const MAX_RETRY_MS = 900_000;

/** Sends a request and returns the response, whatever its status. */
export function callPipedrive(
  hub: Hub,
  path: string,
  request: Omit<HttpRequest, 'url' | 'auth'> = {},
): Promise<HttpResponse> {
  return hub.http.request({
    timeoutMs: TIMEOUT_MS,
    ...request,
    url: toAddress(hub, BASE_URL, path),
    // There is no sign-in at Pipedrive, so the token was pasted.
    headers: { 'x-api-token': hub.credentials.access_token ?? '' },
  });
}

/** Sends a request that reads and returns the body of its response. @throws what {@link toPipedriveError} returns */
export async function readPipedrive(hub: Hub, path: string, query: HttpRequest['query'] = {}): Promise<JsonObject> {
  const response = await callPipedrive(hub, path, { query });
  if (response.status === 200) return toObject(response.json());
  throw toPipedriveError(response);
}

/** Reads a page of a list: at most 500 rows, and where the next page begins. */
export async function readPage(
  hub: Hub,
  path: string,
  cursor: string | null,
  query: HttpRequest['query'] = {},
): Promise<{ readonly rows: readonly JsonObject[]; readonly next: string | null }> {
  const at = cursor === null ? {} : { cursor };
  const { data, additional_data } = await readPipedrive(hub, path, { limit: PAGE_LIMIT, ...query, ...at });
  return { rows: toList(data).map(toObject), next: toText(toObject(additional_data)['next_cursor']) };
}

/** Reads all rows of a short list. */
export async function readAllPages(hub: Hub, path: string): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for (let cursor: string | null = null; ;) {
    const { rows, next }: Awaited<ReturnType<typeof readPage>> = await readPage(hub, path, cursor);
    all.push(...rows);
    if (next === null) return all;
    cursor = next;
  }
}

/** Converts a refusal to an error that makes the run wait, fail with what to do, or try again. */
export function toPipedriveError(response: HttpResponse): Error {
  return toRefusalError(response, { crm: 'Pipedrive', describe: describeRefusal, describeForbidden, readWait });
}

/** Tells what the user of a token may not do. */
export function describeForbidden(response: HttpResponse): string {
  return (
    `The user of the access token may not do this in Pipedrive: ${describeRefusal(response)} ` +
    'Use the token of a user who may read and edit all people, organizations and deals.'
  );
}

/** Returns the reason of a refusal, as Pipedrive says it. */
export function describeRefusal(response: HttpResponse): string {
  const { error, error_info } = readBody(response);
  return [toText(error) ?? 'without a reason', toText(error_info)].filter(Boolean).join('. ').slice(0, 500);
}

/** The window of a limit is two seconds, or the rest of the day for the budget of a day. */
function readWait({ headers }: HttpResponse): number {
  const seconds = Number(headers['retry-after'] ?? headers['x-ratelimit-reset']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_MS) : DEFAULT_RETRY_MS;
}
