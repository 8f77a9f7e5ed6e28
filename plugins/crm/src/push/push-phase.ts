import { MAX_BATCH } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import type { SyncInput } from '../sync/start-sync.js';
import { MAX_SAMPLES, type PhaseResult, type SyncRunOf, type SyncState } from '../sync/sync-state.js';
import { listMarks, removeMarks } from './marks.js';
import { isApproved, readChangeLimit, readMassChange, saveMassChange } from './mass-change.js';
import { type PlannedRecord, planPage } from './plan-page.js';
import { addPushed, NO_PUSH, toPushSamples } from './push-counts.js';
import { writePage } from './write-page.js';

/**
 * Counts a page of what a push would write. A push of few entities needs no plan, unless it is a dry run. One that would change
 * too much waits for an approval, and the sync ends with it.
 */
export async function planPush(run: SyncRunOf, hub: Hub, state: SyncState): Promise<PhaseResult> {
  const { dry_run: isDryRun = false } = run.input as SyncInput;
  const limit = await readChangeLimit(hub);
  if (state.cursor === null && !isDryRun && (await hasFewerThan(hub, limit))) {
    await saveMassChange(hub, null);
    return { cursor: null };
  }
  const entityIds = await listMarks(hub, state.cursor as string | null, MAX_BATCH);
  const planned = await planPage(hub, entityIds);
  const counts = addPushed(
    state.push.counts,
    planned.map(({ outcome }) => outcome),
  );
  const samples = [...state.push.samples, ...toPushSamples(planned)].slice(0, MAX_SAMPLES);
  run.progress(run.completed, undefined, 'Comparing with the CRM');
  if (entityIds.length === MAX_BATCH) return { cursor: entityIds.at(-1)!, push: { ...state.push, counts, samples } };
  if (isDryRun) return { cursor: null, push: { ...state.push, counts, samples } };
  const records = counts.created + counts.updated;
  const push = { ...state.push, counts: NO_PUSH, samples: [] };
  if (records <= limit) await saveMassChange(hub, null);
  // An approval stays until its values are written, so that this step can be repeated.
  else if (!isApproved(records, await readMassChange(hub))) {
    const at = hub.clock.now().toISOString();
    await saveMassChange(hub, { at, records, limit, samples, isApproved: false });
    return { cursor: null, push: { ...push, isWaiting: true } };
  }
  return { cursor: null, push };
}

async function hasFewerThan(hub: Hub, limit: number): Promise<boolean> {
  // The store lists at most 1000, which is also the highest limit.
  return (await listMarks(hub, null, limit)).length < limit;
}

/** Compares a page of entities with their records, and writes what the records lack. */
export async function pushPage(run: SyncRunOf, hub: Hub, state: SyncState): Promise<PhaseResult> {
  const { only, compared, counts } = state.push;
  await removeMarks(hub, compared);
  const entityIds = only !== null ? (state.cursor === null ? only : []) : await listMarks(hub, null, MAX_BATCH);
  if (entityIds.length === 0) {
    if (only === null) await saveMassChange(hub, null);
    return { cursor: null, push: { ...state.push, compared: [] } };
  }
  const planned = await planPage(hub, entityIds);
  const pushed = await writePage(hub, planned, `${run.id}:${run.step}`);
  for (const { planned: each, error } of pushed)
    if (error !== null) run.report({ at: toPlace(each), error: `The CRM refused it: ${error}` });
  const sum = addPushed(
    counts,
    pushed.map(({ outcome }) => outcome),
  );
  run.progress(run.completed + pushed.length, undefined, 'Writing to the CRM');
  return { cursor: 'next', push: { ...state.push, counts: sum, compared: entityIds } };
}

function toPlace({ object, record, entity }: PlannedRecord): string {
  return record ? `${object}/${record.id}` : `entities/${entity.entity_id}`;
}
