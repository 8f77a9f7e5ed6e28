import { type HubContext, isUnreachable } from '@rapport/plugin-sdk';
import type { Endpoint } from './endpoint.js';
import { eventNamed, EVENTS, type TriggerEvent } from './events.js';
import type { Filter } from './filter.js';
import type { Format } from './formats.js';
import { faultOfHeaders } from './headers.js';

/** What is asked for an endpoint; the shapes were checked by the manifest. */
export interface Wish {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly name?: string | null;
  readonly filter?: Filter;
  readonly headers?: Readonly<Record<string, string>>;
  readonly format?: Format;
  readonly active?: boolean;
}

/** Why a wish is refused: a code, and a sentence that mends it. */
export interface Refusal {
  readonly error: string;
  readonly detail: string;
}

/** What of an endpoint is wished, checked. */
export type Checked = { readonly ok: true; readonly change: Partial<Endpoint> } | ({ readonly ok: false } & Refusal);

/** Checks a wish; the address by the way out of the hub, which calls nothing for that. */
export async function checkedWish(wish: Wish, http: HubContext['http']): Promise<Checked> {
  const { url, events, headers, name, ...rest } = wish;
  const named = events?.map(event => eventNamed(event));
  const unknown = events?.find((_, place) => named?.[place] === undefined);
  if (unknown !== undefined)
    return refused(`unknown_event:${unknown.slice(0, 80)}`, `Events are ${EVENTS.join(', ')}.`);
  const fault = headers && faultOfHeaders(headers);
  if (fault !== undefined) return refused('invalid_headers', fault);
  const objection = url === undefined ? undefined : await objectionTo(url, http);
  if (objection !== undefined) return refused('invalid_url', objection);
  return {
    ok: true,
    change: {
      ...rest,
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url: new URL(url).href }),
      ...(headers && { headers }),
      ...(named && { events: [...new Set(named.filter((event): event is TriggerEvent => event !== undefined))] }),
    },
  };
}

async function objectionTo(url: string, http: HubContext['http']): Promise<string | undefined> {
  try {
    await http.check(url);
    return undefined;
  } catch (error) {
    if (isUnreachable(error)) return error.message;
    throw error;
  }
}

function refused(error: string, detail: string): Checked {
  return { ok: false, error, detail };
}
