import type { StoreChange } from '@rapport/plugin-sdk';
import type { Hub } from '../plugin.js';
import { writeAll } from '../sync/record-state.js';

const PREFIX = 'push:';

/** Returns the changes of the store that note entities whose record in the CRM may need other values. */
export function toMarks(entityIds: Iterable<string>): StoreChange[] {
  return [...new Set(entityIds)].map(id => ({ key: PREFIX + id, value: true }));
}

/** Notes entities whose record in the CRM may need other values. */
export function addMarks(hub: Hub, entityIds: Iterable<string>): Promise<void> {
  return writeAll(hub, toMarks(entityIds));
}

/** Lists noted entities in the order of their IDs. */
export async function listMarks(hub: Hub, after: string | null, limit: number): Promise<string[]> {
  const options = { limit, ...(after !== null && { after: PREFIX + after }) };
  return (await hub.store.list(PREFIX, options)).map(({ key }) => key.slice(PREFIX.length));
}

/** Forgets entities that were compared. */
export function removeMarks(hub: Hub, entityIds: readonly string[]): Promise<void> {
  return writeAll(
    hub,
    entityIds.map(id => ({ key: PREFIX + id })),
  );
}
