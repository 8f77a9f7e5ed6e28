import { adapterOf } from '../adapters/adapters.js';
import type { CrmObject, CrmRecord, EntityObject, FieldType } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import { markPulled } from '../push/mark-pulled.js';
import { saveTotal } from '../push/mass-change.js';
import { type LogEntry, toLogChanges } from './change-log.js';
import { addOutcomes, totalRead } from './counts.js';
import { pullActivities } from './pull-activities.js';
import { pullDeals } from './pull-deals.js';
import { type PulledRecord, pullEntities } from './pull-entities.js';
import { type RecordState, readStates, writeAll } from './record-state.js';
import { readCompanyNames, readFields, readOwners, readStages } from './references.js';
import { readSince, saveSince } from './since.js';
import type { SyncInput } from './start-sync.js';
import { MAX_SAMPLES, type PhaseResult, type PullSample, type SyncRunOf, type SyncState } from './sync-state.js';

/** Reads a page of an object. */
export async function pullPage(run: SyncRunOf, hub: Hub, state: SyncState, object: CrmObject): Promise<PhaseResult> {
  const { mode = 'changes', dry_run: isDryRun = false } = run.input as SyncInput;
  const since = mode === 'full' ? null : await readSince(hub, object);
  const { fields, pull } = await preparePull(run, hub, object, { isDryRun, isLogged: since !== null });
  const { records, cursor } = await adapterOf(hub).pull(hub, { object, fields, since, cursor: state.cursor });
  const { outcomes, samples } = await pull(records);
  const counts = addOutcomes(state.counts, object, outcomes);
  run.progress(totalRead(counts), undefined, `Reading ${object}`);
  if (cursor === null && !isDryRun) {
    await saveSince(hub, object, state.startedAt);
    if (since === null) await saveTotal(hub, object, counts[object]!.read);
  }
  return { cursor, counts, samples: [...state.samples, ...samples].slice(0, MAX_SAMPLES) };
}

/** Reads a page of calls, e-mails or meetings. */
export async function pullActivityPage(run: SyncRunOf, hub: Hub, state: SyncState): Promise<PhaseResult> {
  const { mode, dry_run: isDryRun = false } = run.input as SyncInput;
  const { cursor, startedAt } = state;
  const { outcomes, cursor: next } = await pullActivities(hub, {
    cursor,
    isFull: mode === 'full',
    isDryRun,
    startedAt,
  });
  const counts = addOutcomes(state.counts, 'activities', outcomes);
  run.progress(totalRead(counts), undefined, 'Reading activities');
  return { cursor: next, counts };
}

/** Reads one record again. @returns also its entity */
export async function pullRecord(
  run: SyncRunOf,
  hub: Hub,
  { object, id }: NonNullable<SyncInput['record']>,
): Promise<{ readonly counts: SyncState['counts']; readonly entityId: string | null }> {
  const { fields, pull } = await preparePull(run, hub, object, { isDryRun: false, isLogged: true });
  const records = await adapterOf(hub).readMany(hub, object, [id], fields);
  if (records.length === 0) run.report({ at: `${object}/${id}`, error: 'The CRM has no such record.' });
  const { outcomes } = await pull(records);
  const state = (await readStates(hub, object, [id])).get(id);
  return {
    counts: addOutcomes({}, object, outcomes),
    entityId: state && !('erased' in state) ? state.entityId : null,
  };
}

/** Fields to read of an object, and what is done with its records. */
interface PreparedPull {
  readonly fields: readonly string[];
  readonly pull: (
    records: readonly CrmRecord[],
  ) => Promise<{ readonly outcomes: readonly PulledRecord['outcome'][]; readonly samples: readonly PullSample[] }>;
}

interface PullOptions {
  readonly isDryRun: boolean;
  /** Whether changes are logged: not the first ones, which are all there is. */
  readonly isLogged: boolean;
}

async function preparePull(
  run: SyncRunOf,
  hub: Hub,
  object: CrmObject,
  { isDryRun, isLogged }: PullOptions,
): Promise<PreparedPull> {
  const step = `${run.id}:${run.step}`;
  if (object === 'deals') {
    const stages = await readStages(hub);
    const pull = async (records: readonly CrmRecord[]) => ({
      outcomes: await pullDeals(hub, { records, stages, step, isDryRun }),
      samples: [],
    });
    return { fields: [adapterOf(hub).stageField], pull };
  }
  const { mappings, choices } = await readFields(hub, object);
  const filtered = object === 'contacts' ? Object.keys(hub.settings.filters) : [];
  const listFields = (wanted: FieldType) => mappings.filter(({ type }) => type === wanted).map(({ field }) => field);
  return {
    fields: [...new Set([...mappings.map(({ field }) => field), ...filtered])],
    pull: async records => {
      const owners = await readOwners(hub, records, listFields('owner'));
      const companies = await readCompanyNames(hub, records, listFields('company'));
      const references = { choices, owners, companies };
      const known = isLogged ? await readStates(hub, object, records.map(toId)) : new Map<string, RecordState>();
      const pulled = await pullEntities(hub, { object, records, mappings, references, step, isDryRun });
      for (const { record, error, field } of pulled)
        if (error !== null) run.report({ at: `${object}/${record.id}`, error, ...(field !== null && { field }) });
      if (!isDryRun) {
        await markPulled(hub, { object, pulled, mappings, references });
        if (isLogged) await writeAll(hub, toLogChanges(toEntries(hub, object, pulled, known), step));
      }
      const samples = isDryRun ? toSamples(object, pulled) : [];
      return { outcomes: pulled.map(({ outcome }) => outcome), samples };
    },
  };
}

function toId({ id }: CrmRecord): string {
  return id;
}

function toEntries(
  hub: Hub,
  object: EntityObject,
  pulled: readonly PulledRecord[],
  known: Awaited<ReturnType<typeof readStates>>,
): LogEntry[] {
  const at = hub.clock.now().toISOString();
  return pulled.flatMap(({ record, entityId, changes }) => {
    if (entityId === null) return [];
    const state = known.get(record.id);
    const before = state && !('erased' in state) ? state.values : {};
    return changes.map(({ field, property }) => ({
      at,
      direction: 'pull' as const,
      object,
      id: record.id,
      entity_id: entityId,
      name: record.name,
      field,
      property,
      before: before[field] ?? null,
      after: record.values[field] ?? null,
      cause: 'changed_in_crm',
    }));
  });
}

function toSamples(object: EntityObject, pulled: readonly PulledRecord[]): PullSample[] {
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
