import type { ExternalFocus, Focus, FoundEntity } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import type { EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';

const ENTITY_TYPES = { companies: 'company', contacts: 'person' } as const;
/** Most rows, focuses and keys that a call of the hub takes. */
const MAX_PER_CALL = 1_000;

/** Returns the focus of the person or company that a record is about. */
export function toFocus(hub: Hub, object: EntityObject, id: string): ExternalFocus {
  return { external: { system: adapterOf(hub).provider, id, type: ENTITY_TYPES[object] } };
}

/** Cuts a list into parts that one call takes. */
export function* cut<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += MAX_PER_CALL) yield items.slice(from, from + MAX_PER_CALL);
}

/** Finds the entities that any number of focuses identify, in order; null for none. */
export async function findAll(hub: Hub, focuses: readonly Focus[]): Promise<(FoundEntity | null)[]> {
  const found: (FoundEntity | null)[] = [];
  for (const part of cut(focuses)) found.push(...(await hub.graph.findMany(part)));
  return found;
}
