import type { StoreChange } from '@rapport/plugin-sdk';
import type { Hub } from '../plugin.js';
import { readMassChange, saveMassChange } from '../push/mass-change.js';
import { listReviewKeys } from '../push/reviews.js';
import { listLogKeys } from './change-log.js';
import { cut } from './graph-calls.js';
import { entityKey, type RecordAddress, recordKey, writeAll } from './record-state.js';

const CURSOR_KEY = 'erasures';
const CHANGES_PER_PAGE = 500;

/** Forgets people who were erased since the last sync, and remembers not to read their records again. */
export async function forgetErased(hub: Hub): Promise<void> {
  let after = (await hub.store.get<string>(CURSOR_KEY)) ?? 'latest';
  for (let isMore = true; isMore;) {
    const page = await hub.graph.changes({ after, kinds: ['erasure'], limit: CHANGES_PER_PAGE });
    const erasedIds = page.changes.flatMap(change => (change.kind === 'erasure' ? change.erased_ids : []));
    if (erasedIds.length > 0) await forget(hub, erasedIds);
    await hub.store.put(CURSOR_KEY, page.next);
    after = page.next;
    isMore = page.has_more;
  }
}

async function forget(hub: Hub, erasedIds: readonly string[]): Promise<void> {
  const changes: StoreChange[] = (await listLogKeys(hub, new Set(erasedIds))).map(key => ({ key }));
  for (const part of cut(erasedIds.map(entityKey))) {
    const found = (await hub.store.getMany<never>(part)) as ReadonlyMap<string, RecordAddress>;
    for (const [key, { object, id }] of found) {
      const reviews = await listReviewKeys(hub, object, id);
      changes.push(
        { key },
        { key: recordKey(object, id), value: { erased: true } },
        ...reviews.map(each => ({ key: each })),
      );
    }
  }
  await writeAll(hub, changes);
  const waiting = await readMassChange(hub);
  const isOther = ({ entity_id }: { readonly entity_id: string }) => !erasedIds.includes(entity_id);
  if (waiting) await saveMassChange(hub, { ...waiting, samples: waiting.samples.filter(isOther) });
}
