import { Injectable } from '@nestjs/common';
import type { RunDone } from '@rapport/plugin-sdk';
import { CRM_OBJECTS, type CrmObject } from '../adapters/adapter.js';
import { adapterOf } from '../adapters/adapters.js';
import { type Hub, plugin } from '../plugin.js';
import { markChanged } from '../push/find-changed.js';
import { planPush, pushPage } from '../push/push-phase.js';
import { trimLog } from './change-log.js';
import { totalRead } from './counts.js';
import { forgetErased } from './erasures.js';
import { findDeleted, isDeletedDue } from './find-deleted.js';
import { pullActivityPage, pullPage, pullRecord } from './pull-phase.js';
import { refreshReferences } from './references.js';
import { requireSameAccount } from './same-account.js';
import type { SyncInput } from './start-sync.js';
import { type Phase, type PhaseResult, type SyncRunOf, type SyncState, toFirstState } from './sync-state.js';

/** Key of the last sync that ended. */
export const LAST_SYNC_KEY = 'last-sync';

/**
 * Brings graph and CRM into agreement, one page in a step: reads companies, then contacts, then deals, and then writes what the
 * CRM lacks.
 */
@Injectable()
export class SyncRun {
  @plugin.OnRun('sync')
  async step(run: SyncRunOf, hub: Hub): Promise<SyncState | RunDone> {
    const input = run.input as SyncInput;
    const { state } = run;
    if (state === null) {
      run.progress(0, undefined, 'Reading fields, owners and stages');
      await requireSameAccount(hub);
      await refreshReferences(hub);
      if (hub.settings.objects.includes('activities') && !adapterOf(hub).pullActivities)
        run.report({ at: 'activities', error: `Activities are not read from this CRM (${hub.settings.provider}).` });
      if (!input.dry_run) await forgetErased(hub);
      const phases = listPhases(hub, input, await isDeletedDue(hub, input));
      return toFirstState(phases, hub.clock.now().toISOString());
    }
    const phase = state.phases[state.position];
    if (phase === undefined) return finish(run, hub, state);
    const { cursor, ...rest } = await work(run, hub, state, phase);
    const next = { ...state, ...rest };
    if (cursor !== null) return { ...next, cursor };
    return { ...next, cursor: null, position: state.position + 1, startedAt: hub.clock.now().toISOString() };
  }
}

function listPhases(hub: Hub, { dry_run, record }: SyncInput, isDeletedRead: boolean): Phase[] {
  const { direction, objects } = hub.settings;
  const pushes = direction !== 'pull';
  if (record) return ['record', ...(pushes ? (['push'] as const) : [])];
  const pulled = direction === 'push' ? [] : listPulled(hub).filter(each => objects.includes(each));
  const read = [...pulled, ...(isDeletedRead ? (['deleted'] as const) : [])];
  if (!pushes) return read;
  return [...read, 'find-changed', 'plan', ...(dry_run ? [] : (['push'] as const))];
}

/** Returns what can be read of the CRM. */
function listPulled(hub: Hub): readonly (CrmObject | 'activities')[] {
  return adapterOf(hub).pullActivities ? [...CRM_OBJECTS, 'activities'] : CRM_OBJECTS;
}

/** Does a step of a phase. */
async function work(run: SyncRunOf, hub: Hub, state: SyncState, phase: Phase): Promise<PhaseResult> {
  switch (phase) {
    case 'record': {
      const { counts, entityId } = await pullRecord(run, hub, (run.input as SyncInput).record!);
      return { cursor: null, counts, push: { ...state.push, only: entityId === null ? [] : [entityId] } };
    }
    case 'activities':
      return pullActivityPage(run, hub, state);
    case 'deleted':
      return findDeleted(run, hub, state);
    case 'find-changed': {
      run.progress(totalRead(state.counts), undefined, 'Reading what has changed in the graph');
      return { cursor: (await markChanged(hub)) ? 'next' : null };
    }
    case 'plan':
      return planPush(run, hub, state);
    case 'push':
      return state.push.isWaiting ? { cursor: null } : pushPage(run, hub, state);
    default:
      return pullPage(run, hub, state, phase);
  }
}

async function finish(run: SyncRunOf, hub: Hub, { counts, samples, push }: SyncState): Promise<RunDone> {
  const { mode = 'changes', dry_run: isDryRun = false, record } = run.input as SyncInput;
  const pushed = hub.settings.direction === 'pull' ? null : push.counts;
  if (isDryRun) return run.done({ dry_run: true, counts, samples, push: pushed, push_samples: push.samples } as never);
  await trimLog(hub);
  const waits_for_approval = push.isWaiting;
  const result = { counts, push: pushed, waits_for_approval };
  if (record === undefined)
    await hub.store.put(LAST_SYNC_KEY, { finished_at: hub.clock.now().toISOString(), mode, ...result } as never);
  return run.done({ dry_run: false, ...result } as never);
}
