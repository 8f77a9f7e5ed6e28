import { Injectable } from '@nestjs/common';
import type { Json, RunDone, RunOf } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import { CRM_OBJECTS, type CrmObject } from '../adapters/adapter.js';
import { type Hub, plugin } from '../plugin.js';
import { addOutcomes, type CountsByObject, totalRead } from './counts.js';
import { forgetErased } from './erasures.js';
import { pullDeals } from './pull-deals.js';
import { type PulledRecord, pullEntities } from './pull-entities.js';
import type { Outcome } from './record-state.js';
import { readFields, readOwners, readStages, refreshReferences } from './references.js';
import type { SyncInput } from './schedule.job.js';

/** Key of the last sync that ended. */
export const LAST_SYNC_KEY = 'last-sync';
/** A CRM finds changed records some time after they were changed. */
const LOOK_BACK_MS = 10 * 60_000;
const MAX_SAMPLES = 20;

/** Where a sync stands. */
interface SyncState {
  /** Position in the objects of the sync. */
  readonly position: number;
  /** Page of the object. */
  readonly cursor: Json;
  /** When the object was begun: the next sync reads what is changed from then on. */
  readonly startedAt: string;
  readonly counts: CountsByObject;
  /** Examples of a dry run. */
  readonly samples: readonly Sample[];
}

/** What a record would state. */
interface Sample {
  readonly object: CrmObject;
  readonly id: string;
  readonly name: string | null;
  readonly outcome: Outcome;
  readonly values: Readonly<Record<string, Json>>;
}

/** What a page has done. */
interface PageResult {
  readonly outcomes: readonly Outcome[];
  readonly samples: readonly Sample[];
}

type Run = RunOf<typeof plugin, 'sync', SyncState>;

/** Reads the records of the CRM, one page in a step: companies, then contacts, then deals. */
@Injectable()
export class SyncRun {
  @plugin.OnRun('sync')
  async step(run: Run, hub: Hub): Promise<SyncState | RunDone> {
    const { mode = 'changes', dry_run: isDryRun = false } = run.input as SyncInput;
    if (run.state === null) {
      run.progress(0, undefined, 'Reading fields, owners and stages');
      await refreshReferences(hub);
      if (!isDryRun) await forgetErased(hub);
      return { position: 0, cursor: null, startedAt: hub.clock.now().toISOString(), counts: {}, samples: [] };
    }
    const objects = CRM_OBJECTS.filter(each => hub.settings.objects.includes(each));
    const object = objects[run.state.position];
    if (object === undefined) return finish(run, hub, run.state, { mode, isDryRun });
    const since = mode === 'full' ? null : await readSince(hub, object);
    const { cursor, ...page } = await readPage(run, hub, object, { since, cursor: run.state.cursor, isDryRun });
    const counts = addOutcomes(run.state.counts, object, page.outcomes);
    const samples = [...run.state.samples, ...page.samples].slice(0, MAX_SAMPLES);
    run.progress(totalRead(counts), undefined, `Reading ${object}`);
    if (cursor !== null) return { ...run.state, cursor, counts, samples };
    if (!isDryRun) await hub.store.put(sinceKey(object), run.state.startedAt);
    return {
      position: run.state.position + 1,
      cursor: null,
      startedAt: hub.clock.now().toISOString(),
      counts,
      samples,
    };
  }
}

function sinceKey(object: CrmObject): string {
  return `since:${object}`;
}

/** Returns from when on changes are read; null if the object was never read to its end. */
async function readSince(hub: Hub, object: CrmObject): Promise<string | null> {
  const since = await hub.store.get<string>(sinceKey(object));
  return since === undefined ? null : new Date(Date.parse(since) - LOOK_BACK_MS).toISOString();
}

async function readPage(
  run: Run,
  hub: Hub,
  object: CrmObject,
  { since, cursor, isDryRun }: { readonly since: string | null; readonly cursor: Json; readonly isDryRun: boolean },
): Promise<PageResult & { readonly cursor: Json }> {
  const adapter = adapterOf(hub);
  const step = `${run.id}:${run.step}`;
  if (object === 'deals') {
    const { records, cursor: next } = await adapter.pull(hub, {
      object,
      fields: [adapter.stageField],
      since,
      cursor,
    });
    const outcomes = await pullDeals(hub, { records, stages: await readStages(hub), step, isDryRun });
    return { outcomes, samples: [], cursor: next };
  }
  const { mappings, choices } = await readFields(hub, object);
  const filtered = object === 'contacts' ? Object.keys(hub.settings.filters) : [];
  const fields = [...new Set([...mappings.map(({ field }) => field), ...filtered])];
  const { records, cursor: next } = await adapter.pull(hub, { object, fields, since, cursor });
  const ownerFields = mappings.filter(({ type }) => type === 'owner').map(({ field }) => field);
  const references = { choices, owners: await readOwners(hub, records, ownerFields) };
  const pulled = await pullEntities(hub, { object, records, mappings, references, step, isDryRun });
  for (const { record, error, field } of pulled)
    if (error !== null) run.report({ at: `${object}/${record.id}`, error, ...(field !== null && { field }) });
  return {
    outcomes: pulled.map(({ outcome }) => outcome),
    samples: isDryRun ? toSamples(object, pulled) : [],
    cursor: next,
  };
}

function toSamples(object: CrmObject, pulled: readonly PulledRecord[]): Sample[] {
  return pulled
    .filter(({ outcome }) => outcome === 'created' || outcome === 'updated')
    .slice(0, MAX_SAMPLES)
    .map(({ record: { id, name }, outcome, changes }) => ({
      object,
      id,
      name,
      outcome,
      values: Object.fromEntries(changes.map(({ property, value }) => [property, value])),
    }));
}

async function finish(
  run: Run,
  hub: Hub,
  { counts, samples }: SyncState,
  { mode, isDryRun }: { readonly mode: string; readonly isDryRun: boolean },
): Promise<RunDone> {
  if (isDryRun) return run.done({ dry_run: true, counts, samples } as never);
  await hub.store.put(LAST_SYNC_KEY, { finished_at: hub.clock.now().toISOString(), mode, counts } as never);
  return run.done({ dry_run: false, counts } as never);
}
