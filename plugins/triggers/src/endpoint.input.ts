import { type HubContext, isUnreachable } from '@rapport/plugin-sdk';
import type { Endpoint } from './endpoint.js';
import { parseEventName, EVENTS, type TriggerEvent } from './events.js';
import type { Filter } from './filter.js';
import type { Format } from './formats.js';
import { validateHeaders } from './headers.js';

/** What is asked for an endpoint; the shapes were checked by the manifest. */
export interface EndpointInput {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly name?: string | null;
  readonly filter?: Filter;
  readonly headers?: Readonly<Record<string, string>>;
  readonly format?: Format;
  readonly active?: boolean;
}

/** Why a wish is refused: a code, and a sentence that mends it. */
export interface ErrorBody {
  readonly error: string;
  readonly detail: string;
  /** The field that is wrong, where it is a single one. */
  readonly field?: string;
}

/** What of an endpoint is wished, checked. */
export type EndpointCheck =
  | { readonly ok: true; readonly change: Partial<Endpoint> }
  | ({ readonly ok: false } & ErrorBody);

/** Checks a wish; the hub resolves the host of the URL and calls nothing. */
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

/** A filter may name properties as they are stated; claims stand under one name. */
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
