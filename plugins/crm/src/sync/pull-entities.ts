import type { CompanyInput, Json, ObservationInput, PersonInput, RecordRow, UpsertResult } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import type { CrmRecord, EntityObject } from '../adapters/adapter.js';
import type { FieldMapping } from '../mapping/mapping.js';
import { type ChangedValue, findChanges, dropUnresolved, type References } from '../mapping/values.js';
import type { Hub } from '../plugin.js';
import { findAll, toFocus } from './graph-calls.js';
import {
  type ErasedRecord,
  type Outcome,
  readStates,
  type RecordState,
  toStoreChanges,
  writeAll,
} from './record-state.js';

/** What stands in for the state of a record that is read for the first time. */
const FIRST: Pick<
  RecordState,
  'values' | 'name' | 'emails' | 'domain' | 'mergedIds' | 'entityId' | 'statedAt' | 'syncedAt' | 'push'
> = {
  values: {},
  name: null,
  emails: [],
  domain: null,
  mergedIds: [],
  entityId: null,
  syncedAt: null,
  push: null,
};

/** A page of records of one kind, and how it is read. */
export interface EntityPage {
  readonly object: EntityObject;
  readonly records: readonly CrmRecord[];
  readonly mappings: readonly FieldMapping[];
  readonly references: References;
  /** Identifies run and step. */
  readonly step: string;
  readonly isDryRun: boolean;
}

/** A record with what became of it. */
export interface PulledRecord {
  readonly record: CrmRecord;
  readonly outcome: Outcome;
  readonly changes: readonly ChangedValue[];
  readonly error: string | null;
  readonly field: string | null;
  /** The person or company; null if nothing was stated. */
  readonly entityId: string | null;
}

/** A record that states something, or is seen for the first time. */
interface Pending {
  readonly record: CrmRecord;
  /** Values to remember. */
  readonly values: CrmRecord['values'];
  readonly known: typeof FIRST;
  readonly changes: readonly ChangedValue[];
}

/**
 * Records what a page of contacts or companies states anew, as the source `crm:<provider>`. Only values that changed since
 * the last sync are stated, with the time of the change: a sync that finds a record as it was confirms nothing.
 */
export async function pullEntities(hub: Hub, page: EntityPage): Promise<PulledRecord[]> {
  const states = await readStates(
    hub,
    page.object,
    page.records.map(({ id }) => id),
  );
  const pulled: PulledRecord[] = [];
  const pending: Pending[] = [];
  for (const record of page.records) {
    const sorted = sortOut(hub, page, record, states.get(record.id));
    if ('outcome' in sorted) pulled.push(sorted);
    else pending.push(sorted);
  }
  const allowed = hub.settings.create ? pending : await keepKnown(hub, page, pending, pulled);
  return [...pulled, ...(await writePending(hub, page, allowed))];
}

/** Returns what became of a record that states nothing, or what it states. */
function sortOut(
  hub: Hub,
  { object, mappings, references, step }: EntityPage,
  record: CrmRecord,
  state: RecordState | ErasedRecord | undefined,
): PulledRecord | Pending {
  const done = (outcome: Outcome, error: string | null = null) => ({
    record,
    outcome,
    changes: [],
    error,
    field: null,
    entityId: null,
  });
  if (state && 'erased' in state) return done('skipped');
  if (state?.step === step) return done(state.outcome, state.error);
  if (object === 'contacts' && !passesFilters(hub, record)) return done('skipped');
  const changes = findChanges(mappings, record, state ? knownValues(state, record) : {}, references);
  const values = dropUnresolved(mappings, record, references);
  const known = state ?? FIRST;
  const isSame =
    state !== undefined &&
    state.error === null &&
    state.deletedAt === undefined &&
    changes.length === 0 &&
    state.name === record.name &&
    state.domain === record.domain &&
    !hasNewAddress(record, state) &&
    record.mergedIds.every(id => state.mergedIds.includes(id));
  return isSame ? done('unchanged') : { record, values, known, changes };
}

/** What is known of the values of a record: those read last, and those that were sent to it, if they have arrived. */
function knownValues({ values, push }: RecordState, record: CrmRecord): RecordState['values'] {
  const arrived = Object.entries(push?.sending ?? {}).filter(([field, value]) => record.values[field] === value);
  return { ...values, ...Object.fromEntries(arrived) };
}

/** Whether a record has an address that it did not have, or another main address. */
function hasNewAddress({ emails }: CrmRecord, known: Pick<RecordState, 'emails'>): boolean {
  return emails[0] !== known.emails[0] || emails.some(email => !known.emails.includes(email));
}

function passesFilters(hub: Hub, { values }: CrmRecord): boolean {
  const filters = Object.entries(hub.settings.filters as Readonly<Record<string, readonly string[]>>);
  return filters.every(([field, allowed]) => allowed.includes(values[field] ?? ''));
}

/** Leaves out records of people and companies that the graph does not know, and adds them as skipped. */
async function keepKnown(
  hub: Hub,
  { object }: EntityPage,
  pending: readonly Pending[],
  pulled: PulledRecord[],
): Promise<readonly Pending[]> {
  const focuses = pending.map(({ record }) => [
    toFocus(hub, object, record.id),
    ...record.emails,
    ...(object === 'companies' && record.domain !== null ? [record.domain] : []),
  ]);
  const found = await findAll(hub, focuses.flat());
  let next = 0;
  return pending.filter(({ record }, index) => {
    const own = found.slice(next, (next += focuses[index]!.length));
    if (own.some(each => each !== null)) return true;
    pulled.push({ record, outcome: 'skipped', changes: [], error: null, field: null, entityId: null });
    return false;
  });
}

async function writePending(hub: Hub, page: EntityPage, pending: readonly Pending[]): Promise<PulledRecord[]> {
  const { provider } = adapterOf(hub);
  const { object, step, isDryRun } = page;
  const options = { source: `crm:${provider}`, system: provider, dryRun: isDryRun };
  const now = hub.clock.now();
  const results: readonly UpsertResult[] =
    object === 'contacts'
      ? await hub.graph.people.upsert(
          pending.map(each => toPerson(each, now)),
          options,
        )
      : await hub.graph.companies.upsert(
          pending.map(each => toCompany(each, now)),
          options,
        );
  const pulled = pending.map((each, index) => toPulled(each, results[index]!));
  if (isDryRun) return pulled;
  await endFacts(hub, page, pending, pulled);
  for (const [index, each] of pending.entries()) await linkMerged(hub, page, each, pulled[index]!.entityId);
  const changes = pending.flatMap((each, index) => {
    const { outcome, error, entityId } = pulled[index]!;
    return toStoreChanges(object, each.record.id, toState(each, { outcome, error, step, entityId, now }));
  });
  await writeAll(hub, changes);
  return pulled;
}

function toPulled({ record, changes }: Pending, result: UpsertResult): PulledRecord {
  if ('error' in result) {
    const { error, field = null } = result;
    return { record, outcome: 'failed', changes: [], error, field, entityId: null };
  }
  const hasNews = result.recorded > 0 || changes.some(({ value }) => value === null);
  const outcome = result.created ? 'created' : hasNews ? 'updated' : 'unchanged';
  return { record, outcome, changes, error: null, field: null, entityId: result.entity_id };
}

/**
 * Returns the time of what a record states: when it was changed. A record that was changed twice in one second, or whose time did not
 * change, states the later value later: two values of one time would be in no order.
 */
function toStatedAt({ record, known }: Pending, now: Date): string {
  const updatedAt = Date.parse(record.updatedAt);
  const at = Number.isNaN(updatedAt) ? now.getTime() : updatedAt;
  const after = known.statedAt === undefined ? at : Date.parse(known.statedAt) + 1;
  return new Date(Math.max(at, after)).toISOString();
}

/** A clock that is ahead must not state what is only going to be true. */
function toObservedAt(pending: Pending, now: Date): string {
  const statedAt = toStatedAt(pending, now);
  return Date.parse(statedAt) > now.getTime() ? now.toISOString() : statedAt;
}

function toFacts(pending: Pending, now: Date): Record<string, Json> {
  const { record, known, changes } = pending;
  const stated = changes.filter(({ value }) => value !== null).map(({ property, value }) => [property, value] as const);
  return {
    ...Object.fromEntries(stated),
    ...(record.name !== null && record.name !== known.name && { name: record.name }),
    external_id: record.id,
    observed_at: toObservedAt(pending, now),
  };
}

function toPerson(pending: Pending, now: Date): PersonInput {
  const facts = toFacts(pending, now);
  // The first address of a row is stated as the one to write to: a further one is never sent without the main one.
  const [email, ...emails] = pending.record.emails;
  if (email === undefined || !hasNewAddress(pending.record, pending.known)) return facts;
  return { ...facts, email, ...(emails.length > 0 && { emails }) };
}

function toCompany(pending: Pending, now: Date): CompanyInput {
  const { domain } = pending.record;
  return { ...toFacts(pending, now), ...(domain !== null && domain !== pending.known.domain && { domain }) };
}

/** Ends facts that the CRM stated, and has no value for any more. */
async function endFacts(
  hub: Hub,
  { object }: EntityPage,
  pending: readonly Pending[],
  pulled: readonly PulledRecord[],
): Promise<void> {
  const { provider } = adapterOf(hub);
  const now = hub.clock.now();
  const rows = pending.flatMap((each, index): RecordRow[] => {
    const { record, changes } = each;
    const ended = pulled[index]!.error === null ? changes.filter(({ value }) => value === null) : [];
    if (ended.length === 0) return [];
    const observed_at = toObservedAt(each, now);
    const observations = ended.map(({ property }): ObservationInput => {
      const external_id = `${provider}:${object}:${record.id}:${property}:${toStatedAt(each, now)}:ended`;
      return { kind: 'state', property, value: null, observed_at, source: `crm:${provider}`, external_id };
    });
    return [{ focus: toFocus(hub, object, record.id), observations }];
  });
  if (rows.length > 0) await hub.graph.recordMany(rows);
}

/** Records that were merged in the CRM are one person or company here too, or a merge is proposed. */
async function linkMerged(
  hub: Hub,
  { object }: EntityPage,
  { record, known }: Pending,
  entityId: string | null,
): Promise<void> {
  if (entityId === null) return;
  for (const id of record.mergedIds) {
    if (known.mergedIds.includes(id)) continue;
    await hub.graph.link(entityId, toFocus(hub, object, id).external);
  }
}

function toState(
  pending: Pending,
  {
    outcome,
    error,
    step,
    entityId,
    now,
  }: Pick<RecordState, 'outcome' | 'error' | 'step' | 'entityId'> & { readonly now: Date },
): RecordState {
  const { record, values, known } = pending;
  if (error !== null) return { ...FIRST, ...known, updatedAt: record.updatedAt, error, step, outcome };
  const hasNews = outcome === 'created' || outcome === 'updated';
  const { updatedAt, name, emails, domain, mergedIds } = record;
  const syncedAt = hasNews ? now.toISOString() : known.syncedAt;
  const statedAt = toObservedAt(pending, now);
  const about = { entityId, updatedAt, values, name, emails, domain, mergedIds, statedAt };
  const push = known.push && { ...known.push, sending: {} };
  return { ...about, syncedAt, error: null, step, outcome, push };
}
