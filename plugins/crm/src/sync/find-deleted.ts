import type { Json } from '@rapport/plugin-sdk';
import { ENTITY_OBJECTS, type EntityObject } from '../adapters/adapter.js';
import { adapterOf } from '../adapters/adapters.js';
import type { Hub } from '../plugin.js';
import { addDeleted } from './counts.js';
import { readStates, toStoreChanges, writeAll } from './record-state.js';
import type { SyncInput } from './start-sync.js';
import type { PhaseResult, SyncRunOf, SyncState } from './sync-state.js';

const CHECKED_KEY = 'deleted-checked';
/** Every deleted record is listed each time, so it is not done every ten minutes. */
const CHECK_MS = 24 * 3_600_000;

/** Where the reading of deleted records stands; null at its beginning. */
interface DeletedCursor {
  /** Position in {@link listObjects}. */
  readonly position: number;
  readonly page: Json;
}

/** Returns whether it is time to look for deleted records: once a day, and whenever everything is read. */
export async function isDeletedDue(hub: Hub, { mode, dry_run }: SyncInput): Promise<boolean> {
  const isRead = hub.settings.direction !== 'push' && listObjects(hub).length > 0;
  if (!adapterOf(hub).listDeleted || dry_run || !isRead) return false;
  const checkedAt = await hub.store.get<string>(CHECKED_KEY);
  return mode === 'full' || checkedAt === undefined || hub.clock.now().getTime() - Date.parse(checkedAt) > CHECK_MS;
}

function listObjects(hub: Hub): readonly EntityObject[] {
  return ENTITY_OBJECTS.filter(object => hub.settings.objects.includes(object));
}

/**
 * Notes a page of records that were deleted in the CRM. Nothing else changes: facts stay, nothing is written to such a record, and
 * no new one is created for its person. A record that is restored is read like any other.
 */
export async function findDeleted(run: SyncRunOf, hub: Hub, state: SyncState): Promise<PhaseResult> {
  const { position, page } = (state.cursor as DeletedCursor | null) ?? { position: 0, page: null };
  const objects = listObjects(hub);
  const object = objects[position]!;
  run.progress(run.completed, undefined, `Reading deleted ${object}`);
  const { ids, cursor } = await adapterOf(hub).listDeleted!(hub, object, page);
  const deletedAt = hub.clock.now().toISOString();
  const known = [...(await readStates(hub, object, ids))];
  const changes = known.flatMap(([id, own]) =>
    'erased' in own || own.deletedAt !== undefined ? [] : toStoreChanges(object, id, { ...own, deletedAt }),
  );
  await writeAll(hub, changes);
  const deleted = known.filter(([, own]) => !('erased' in own)).length;
  const counts = addDeleted(state.counts, object, deleted);
  if (cursor !== null) return { cursor: { position, page: cursor }, counts };
  if (position + 1 < objects.length) return { cursor: { position: position + 1, page: null }, counts };
  await hub.store.put(CHECKED_KEY, deletedAt);
  return { cursor: null, counts };
}
