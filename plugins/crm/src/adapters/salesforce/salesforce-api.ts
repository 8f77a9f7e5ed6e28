import { type HttpRequest, type HttpResponse, type JsonObject, PermanentError } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import { toAddress } from '../address.js';
import { toList, toObject, toText } from '../json.js';
import { toRefusalError } from '../refusal.js';
import { type SoqlQuery, toSoql } from './soql.js';

const API = '/services/data/v64.0';
const TIMEOUT_MS = 30_000;
/** Too many requests at once. */
const CONCURRENT_RETRY_MS = 2_000;
/** The limit of a day is tried again each quarter of an hour. */
const DAILY_RETRY_MS = 900_000;
/** What codes of errors mean, where the status says something else. */
const STATUSES: Readonly<Record<string, number>> = {
  REQUEST_LIMIT_EXCEEDED: 429,
  INVALID_TYPE: 403,
  INSUFFICIENT_ACCESS: 403,
};

/** Tells a user with a pasted token what is missing. */
export const NO_ADDRESS =
  'A pasted token of Salesforce needs the address of the organization, such as https://acme.my.salesforce.com, in the setting ' +
  'api_url. Connections by sign-in know it.';

/** Returns whether it is known where the organization is served. */
export function hasAddress({ settings, credentials }: Hub): boolean {
  return settings.api_url !== '' || credentials.instance_url !== undefined;
}

/**
 * Sends a request and returns the response with a status that fits its error code: 429 for a limit, 403 for a permission.
 * @param path path below the version of the API
 */
export async function callSalesforce(
  hub: Hub,
  path: string,
  request: Omit<HttpRequest, 'url'> = {},
): Promise<HttpResponse> {
  if (!hasAddress(hub)) throw new PermanentError(NO_ADDRESS);
  const response = await hub.http.request({
    timeoutMs: TIMEOUT_MS,
    ...request,
    url: toAddress(hub, hub.credentials.instance_url ?? '', API + path),
    auth: 'connection',
  });
  if (response.status < 400) return response;
  return { ...response, status: STATUSES[readFault(response).code] ?? response.status };
}

/** Sends a request and returns the body of its response. @throws what {@link toSalesforceError} returns */
export async function readSalesforce(
  hub: Hub,
  path: string,
  request: Omit<HttpRequest, 'url'> = {},
): Promise<JsonObject> {
  const response = await callSalesforce(hub, path, request);
  if (response.status === 200) return toObject(response.json());
  throw toSalesforceError(response);
}

/** Rows of a query. */
export interface SoqlPage {
  readonly rows: readonly JsonObject[];
  /** Whether these are all rows: large ones come in smaller pages than the query allows. */
  readonly isWhole: boolean;
}

/**
 * Reads the first rows of a query, at most 2000.
 * @param options `withDeleted`: also records in the recycle bin
 */
export async function querySalesforce(
  hub: Hub,
  query: SoqlQuery,
  { withDeleted = false }: { readonly withDeleted?: boolean } = {},
): Promise<SoqlPage> {
  const path = withDeleted ? '/queryAll' : '/query';
  const { records, done } = await readSalesforce(hub, path, { query: { q: toSoql(query) } });
  return { rows: toList(records).map(toObject), isWhole: done === true };
}

/** Converts a refusal to an error that makes the run wait, fail with what to do, or try again. */
export function toSalesforceError(response: HttpResponse): Error {
  return toRefusalError(response, {
    crm: 'Salesforce',
    describe: refused => readFault(refused).message,
    describeForbidden,
    readWait: refused => (readFault(refused).message.includes('Concurrent') ? CONCURRENT_RETRY_MS : DAILY_RETRY_MS),
  });
}

/** Tells what the user of a token may not do. */
export function describeForbidden(response: HttpResponse): string {
  return (
    `The user may not do this in Salesforce: ${readFault(response).message}. It needs the permission API Enabled, and read ` +
    'and edit access to accounts, contacts and opportunities.'
  );
}

/** Returns code and reason of a refusal: the body is a list of them. */
function readFault(response: HttpResponse): { readonly code: string; readonly message: string } {
  let body;
  try {
    body = response.json();
  } catch {
    body = null;
  }
  const { errorCode, message } = toObject(toList(body)[0]);
  return { code: toText(errorCode) ?? '', message: (toText(message) ?? 'without a reason').slice(0, 500) };
}
