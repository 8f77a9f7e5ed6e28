import { type HubContext, isUnreachable } from '@rapport/plugin-sdk';
import type { Endpoint } from './endpoint.js';
import { parseEventName, EVENTS, type TriggerEvent, type Filter } from './filter.js';
import type { Format } from './schemas.js';

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const VALUE = /^[\x20-\x7e]{0,1000}$/;
const MAX_HEADERS = 20;

/** Headers that only the sender sets. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
  'user-agent',
]);

/** Returns the error of custom headers; undefined if they are valid. */
export function validateHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) return `At most ${MAX_HEADERS} headers can be set.`;
  const twice = names.find((name, place) => names.findIndex(each => each.toLowerCase() === name.toLowerCase()) < place);
  if (twice !== undefined) return `The header "${twice.slice(0, 80)}" is named twice.`;
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name))
      return `"${name.slice(0, 80)}" is no name of a header: 1 to 64 of letters, digits and !#$%&'*+.^_|~-.`;
    if (isReserved(name)) return `The header "${name}" is set by Rapport.`;
    if (!VALUE.test(value)) return `The value of the header "${name}" must be 0 to 1000 printable ASCII characters.`;
  }
  return undefined;
}

/** Merges the custom headers of an endpoint with those of Rapport, which take precedence. */
export function buildRequestHeaders(
  own: Readonly<Record<string, string>>,
  signed: Readonly<Record<string, string>>,
): Record<string, string> {
  const theirs = Object.entries(own).filter(([name]) => !isReserved(name));
  return {
    ...Object.fromEntries(theirs.map(([name, value]) => [name.toLowerCase(), value])),
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'Rapport-Webhooks/1',
    ...signed,
  };
}

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || lower.startsWith('webhook-');
}

/** Input of an endpoint; the hub has validated it against the manifest. */
export interface EndpointInput {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly name?: string | null;
  readonly filter?: Filter;
  readonly headers?: Readonly<Record<string, string>>;
  readonly format?: Format;
  readonly active?: boolean;
}

/** Error response: a code, and a sentence that says how to fix the problem. */
export interface ErrorBody {
  readonly error: string;
  readonly detail: string;
  /** The invalid field, if there is exactly one. */
  readonly field?: string;
}

/** Result of the validation. */
export type EndpointCheck =
  | { readonly ok: true; readonly change: Partial<Endpoint> }
  | ({ readonly ok: false } & ErrorBody);

/** Validates the input. The hub resolves the host of the URL without sending a request. */
export async function validateEndpoint(input: EndpointInput, { http, graph }: HubContext): Promise<EndpointCheck> {
  const { url, events, headers, name, filter, ...rest } = input;
  const known = events?.map(event => parseEventName(event));
  const unknown = events?.find((_, place) => known?.[place] === undefined);
  if (unknown !== undefined)
    return rejectInput(`unknown_event:${unknown.slice(0, 80)}`, `Events are ${EVENTS.join(', ')}.`);
  const fault = headers && validateHeaders(headers);
  if (fault !== undefined) return rejectInput('invalid_headers', fault);
  const objection = url === undefined ? undefined : await checkUrl(url, http);
  if (objection !== undefined)
    return { ok: false, error: 'invalid_url', field: 'url', detail: `url cannot be called. ${objection}` };
  const claims = filter?.claims && (await canonicalizeClaims(filter.claims, graph));
  if (claims && Object.keys(claims).length < Object.keys(filter.claims!).length)
    return rejectInput('invalid_filter', 'Two names of the filter mean the same property: give one condition for it.');
  return {
    ok: true,
    change: {
      ...rest,
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url: new URL(url).href }),
      ...(headers && { headers }),
      ...(filter && { filter: { ...filter, ...(claims && { claims }) } }),
      ...(known && { events: [...new Set(known.filter((event): event is TriggerEvent => event !== undefined))] }),
    },
  };
}

/** Replaces property aliases in a filter by canonical names, under which claims are stored. */
async function canonicalizeClaims(conditions: NonNullable<Filter['claims']>, graph: HubContext['graph']) {
  const names = await Promise.all(Object.keys(conditions).map(name => graph.canonicalProperty(name)));
  return Object.fromEntries(Object.values(conditions).map((condition, i) => [names[i]!, condition]));
}

async function checkUrl(url: string, http: HubContext['http']): Promise<string | undefined> {
  try {
    await http.check(url);
    return undefined;
  } catch (error) {
    if (isUnreachable(error)) return error.message;
    throw error;
  }
}

function rejectInput(error: string, detail: string): EndpointCheck {
  return { ok: false, error, detail };
}
