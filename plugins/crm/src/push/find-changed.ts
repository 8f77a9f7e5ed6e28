import type { Change, ClaimChange, StoreChange } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import { ENTITY_OBJECTS } from '../adapters/adapter.js';
import { listMappings } from '../mapping/mapping.js';
import { toCrmValue } from '../mapping/values.js';
import type { Hub } from '../plugin.js';
import { entityKey, type RecordAddress, recordKey, type RecordState, writeAll } from '../sync/record-state.js';
import type { Comparison } from './compare.js';
import { CREATION_EVENTS, LEAD_SCORE } from './creation.js';
import { toMarks } from './marks.js';
import { readComparisons } from './plan-page.js';

const CURSOR_KEY = 'push-cursor';
const CHANGES_PER_PAGE = 500;

/** Where the reading of changes stands. */
interface Cursor {
  readonly after: string | null;
  /**
   * Whether all that there was has been read once. Before, what the CRM states need not be compared with what it has. Later
   * it can differ, because something else was written to it.
   */
  readonly hasCaughtUp: boolean;
}

/**
 * Reads a page of what has changed in the graph since the last sync, and notes the entities whose record may need it.
 * @returns whether there is more
 */
export async function markChanged(hub: Hub): Promise<boolean> {
  const adapter = adapterOf(hub);
  const mappings = ENTITY_OBJECTS.flatMap(object => listMappings(adapter, object, hub.settings));
  const pushed = mappings.filter(({ isPushed }) => isPushed).map(({ property }) => property);
  const known = (await hub.store.get<never>(CURSOR_KEY)) as Cursor | undefined;
  const { after, hasCaughtUp } = known ?? { after: null, hasCaughtUp: false };
  const page = await hub.graph.changes({
    ...(after !== null && { after }),
    kinds: ['claim', 'event', 'retraction', 'merge', 'unmerge'],
    properties: [
      ...new Set([...pushed, ...CREATION_EVENTS, ...(hub.settings.create_require_icp_fit ? [LEAD_SCORE] : [])]),
    ],
    ...(!hasCaughtUp && { notFrom: [`crm:${adapter.provider}`] }),
    limit: CHANGES_PER_PAGE,
  });
  const marks = toMarks(await listAffected(hub, page.changes));
  await writeAll(hub, [...marks, ...(await moveRecords(hub, page.changes))]);
  await hub.store.put(CURSOR_KEY, { after: page.next, hasCaughtUp: hasCaughtUp || !page.has_more });
  return page.has_more;
}

/** Returns the entities of changes that the CRM may not have yet. */
async function listAffected(hub: Hub, changes: readonly Change[]): Promise<string[]> {
  const comparisons = await readComparisons(hub);
  const states = await readEntityStates(hub, changes);
  const { create_in_crm: mayCreate, direction } = hub.settings;
  return changes.flatMap(change => {
    const object = change.type === 'person' ? 'contacts' : 'companies';
    const state = states.get(change.entity_id);
    if (state === undefined)
      return mayCreate || direction === 'push' || hasRecord(hub, change) ? [change.entity_id] : [];
    const isIdle =
      change.kind === 'claim' &&
      (change.property === LEAD_SCORE || !isSafe(hub, change) || hasValue(state, change, comparisons[object]));
    return isIdle ? [] : [change.entity_id];
  });
}

function hasRecord(hub: Hub, { external_ids }: Change): boolean {
  return external_ids.some(({ system }) => system === adapterOf(hub).provider);
}

/** Whether a claim could be written. One that is not can only become so by another change. */
function isSafe(hub: Hub, { confidence, freshness, epistemic_class }: ClaimChange): boolean {
  const isEvident = epistemic_class !== 'contested' && epistemic_class !== 'inferred';
  return isEvident && freshness === 'fresh' && confidence >= hub.settings.min_confidence;
}

/** Whether a record had the value of a claim when it was last read or written. */
function hasValue(state: RecordState, { property, value }: ClaimChange, { mappings, references }: Comparison): boolean {
  const mapping = mappings.find(each => each.property === property);
  if (!mapping || value === null) return false;
  return toCrmValue(mapping, value, references) === (state.values[mapping.field] ?? null);
}

/** Reads what is remembered of the records of entities. Erased ones are left out. */
async function readEntityStates(hub: Hub, changes: readonly Change[]): Promise<ReadonlyMap<string, RecordState>> {
  const ids = [...new Set(changes.map(({ entity_id }) => entity_id))];
  const found = await hub.store.getMany<never>(ids.map(entityKey));
  const addresses = new Map([...found].map(([key, address]) => [key, toRecordKey(address as RecordAddress)]));
  const states = await hub.store.getMany<never>([...addresses.values()]);
  return new Map(
    ids.flatMap((id): [string, RecordState][] => {
      const state = states.get(addresses.get(entityKey(id)) ?? '') as
        | RecordState
        | { readonly erased: true }
        | undefined;
      return state && !('erased' in state) ? [[id, state]] : [];
    }),
  );
}

function toRecordKey({ object, id }: RecordAddress): string {
  return recordKey(object, id);
}

/** Returns the changes of the store by which the record of an entity that was merged away is that of the one that is left. */
async function moveRecords(hub: Hub, changes: readonly Change[]): Promise<StoreChange[]> {
  const merged = changes.flatMap(change =>
    change.kind === 'merge' ? [[change.entity_id, change.other_entity_id] as const] : [],
  );
  const known = await hub.store.getMany<never>([...new Set(merged.flat())].map(entityKey));
  return merged.flatMap(([left, other]): StoreChange[] => {
    const record = known.get(entityKey(other));
    return record === undefined || known.has(entityKey(left)) ? [] : [{ key: entityKey(left), value: record }];
  });
}
