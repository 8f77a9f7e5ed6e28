import { type HttpRequest, type HttpResponse, type JsonObject, RetryLater } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import { toAddress } from '../address.js';
import { readBody, toList, toObject, toText } from '../json.js';
import { toRefusalError } from '../refusal.js';

const BASE_URL = 'https://api.hubapi.com';
const TIMEOUT_MS = 30_000;
const LOCKED_RETRY_MS = 2_000;
/** Waiting times after a 429 by its policy; the limits of a day are tried again each quarter of an hour. */
const RETRY_MS: Readonly<Record<string, number>> = { SECONDLY: 1_000, TEN_SECONDLY_ROLLING: 10_000, DAILY: 900_000 };
const DEFAULT_RETRY_MS = 10_000;

/** Sends a request that reads and returns the response, whatever its status. POST is repeated too: it is a search. */
export function callHubspot(hub: Hub, path: string, request: Omit<HttpRequest, 'url'> = {}): Promise<HttpResponse> {
  return hub.http.request({
    attempts: 3,
    timeoutMs: TIMEOUT_MS,
    ...request,
    url: toAddress(hub, BASE_URL, path),
    auth: 'connection',
  });
}

/** Sends a request that reads and returns the body of its response. @throws what {@link toError} returns */
export async function readHubspot(hub: Hub, path: string, request: Omit<HttpRequest, 'url'> = {}): Promise<JsonObject> {
  const response = await callHubspot(hub, path, request);
  // 207: some of a batch were not found, and are left out.
  if (response.status === 200 || response.status === 207) return toObject(response.json());
  throw toError(response);
}

/** Reads which records of another object records are associated with, by their IDs. Those without any are missing. */
export async function readAssociations(
  hub: Hub,
  from: string,
  to: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const path = `/crm/v4/associations/${from}/${to}/batch/read`;
  const { results } = await readHubspot(hub, path, { method: 'POST', json: { inputs: ids.map(id => ({ id })) } });
  const links = toList(results).map(each => {
    const { from: source, to: targets } = toObject(each);
    const targetIds = toList(targets).map(target => String(toObject(target)['toObjectId']));
    return [String(toObject(source)['id']), targetIds] as const;
  });
  return new Map(links);
}

/** Converts a refusal to an error that makes the run wait, fail with what to do, or try again. */
export function toError(response: HttpResponse): Error {
  if (response.status === 423) return new RetryLater(LOCKED_RETRY_MS, 'HubSpot has locked the records for a moment.');
  return toRefusalError(response, {
    crm: 'HubSpot',
    describe: refused => (toText(readBody(refused)['message']) ?? 'without a reason').slice(0, 300),
    describeForbidden: refused => describeMissingScopes(readBody(refused)),
    readWait: refused => RETRY_MS[toText(readBody(refused)['policyName']) ?? ''] ?? DEFAULT_RETRY_MS,
  });
}

/** Names the permissions that a token lacks. */
export function describeMissingScopes(body: JsonObject): string {
  const scopes = toList(body['errors']).flatMap(error => {
    const context = toObject(toObject(error)['context']);
    return [...toList(context['requiredGranularScopes']), ...toList(context['requiredScopes'])].map(String);
  });
  const needed = [...new Set(scopes)].join(', ') || 'those for contacts, companies, deals, schemas and owners';
  return `The access token lacks permissions: add these scopes to the app in HubSpot: ${needed}.`;
}
