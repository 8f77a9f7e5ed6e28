import type { StoreChange } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import { ENTITY_OBJECTS } from '../adapters/adapter.js';
import { listMappings } from '../mapping/mapping.js';
import type { Hub } from '../plugin.js';
import { entityKey, writeAll } from '../sync/record-state.js';
import { CREATION_EVENTS } from './creation.js';
import { toMarks } from './marks.js';

const CURSOR_KEY = 'push-cursor';
const CHANGES_PER_PAGE = 500;

/**
 * Reads a page of what has changed in the graph since the last sync, other than by the CRM itself, and notes the entities.
 * @returns whether there is more
 */
export async function markChanged(hub: Hub): Promise<boolean> {
  const adapter = adapterOf(hub);
  const pushed = ENTITY_OBJECTS.flatMap(object => listMappings(adapter, object, hub.settings)).filter(
    ({ isPushed }) => isPushed,
  );
  const properties = [...new Set([...pushed.map(({ property }) => property), ...CREATION_EVENTS])];
  const after = await hub.store.get<string>(CURSOR_KEY);
  const page = await hub.graph.changes({
    ...(after !== undefined && { after }),
    kinds: ['claim', 'event', 'retraction', 'merge', 'unmerge'],
    properties,
    notFrom: [`crm:${adapter.provider}`],
    limit: CHANGES_PER_PAGE,
  });
  const marks = toMarks(page.changes.map(({ entity_id }) => entity_id));
  const merged = page.changes.flatMap(change =>
    change.kind === 'merge' ? [[change.entity_id, change.other_entity_id] as const] : [],
  );
  await writeAll(hub, [...marks, ...(await moveRecords(hub, merged))]);
  await hub.store.put(CURSOR_KEY, page.next);
  return page.has_more;
}

/** Returns the changes of the store by which the record of an entity that was merged away is that of the one that is left. */
async function moveRecords(hub: Hub, merged: readonly (readonly [string, string])[]): Promise<StoreChange[]> {
  const known = await hub.store.getMany<never>([...new Set(merged.flat())].map(entityKey));
  return merged.flatMap(([left, other]): StoreChange[] => {
    const record = known.get(entityKey(other));
    return record === undefined || known.has(entityKey(left)) ? [] : [{ key: entityKey(left), value: record }];
  });
}
