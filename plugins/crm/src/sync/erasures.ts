import type { StoreChange } from '@rapport/plugin-sdk';
import type { Hub } from '../plugin.js';
import { cut } from './graph-calls.js';
import { entityKey, type RecordAddress, recordKey, writeAll } from './record-state.js';

const CURSOR_KEY = 'erasures';
const CHANGES_PER_PAGE = 500;

/** Forgets people who were erased since the last sync, and remembers not to read their records again. */
export async function forgetErased(hub: Hub): Promise<void> {
  let after = (await hub.store.get<string>(CURSOR_KEY)) ?? 'latest';
  for (let isMore = true; isMore;) {
    const page = await hub.graph.changes({ after, kinds: ['erasure'], limit: CHANGES_PER_PAGE });
    const keys = page.changes.flatMap(change => (change.kind === 'erasure' ? change.erased_ids.map(entityKey) : []));
    const changes: StoreChange[] = [];
    for (const part of cut(keys)) {
      const found = await hub.store.getMany<never>(part);
      for (const [key, address] of found as ReadonlyMap<string, RecordAddress>)
        changes.push({ key }, { key: recordKey(address.object, address.id), value: { erased: true } });
    }
    await writeAll(hub, changes);
    await hub.store.put(CURSOR_KEY, page.next);
    after = page.next;
    isMore = page.has_more;
  }
}
