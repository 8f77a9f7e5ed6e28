import { type HubContext, isUnreachable } from '@rapport/plugin-sdk';
import type { Endpoint } from './endpoint.js';
import { parseEventName, EVENTS, type TriggerEvent } from './events.js';
import type { Filter } from './filter.js';
import type { Format } from './formats.js';
import { validateHeaders } from './headers.js';

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
