import type { StoreChange } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import { ENTITY_OBJECTS, type EntityObject, type NewContact, type WriteResult } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import { type LogEntry, toLogChanges } from '../sync/change-log.js';
import { type PushOutcome, type PushState, type RecordState, toStoreChanges, writeAll } from '../sync/record-state.js';
import { toFocus } from '../sync/graph-calls.js';
import type { FieldDecision } from './compare.js';
import type { PlannedRecord } from './plan-page.js';
import { type Review, toReviewChanges } from './reviews.js';

/** What became of a planned record. */
export interface PushedRecord {
  readonly planned: PlannedRecord;
  readonly outcome: PushOutcome;
  readonly error: string | null;
}

/**
 * Writes what was planned for a page of entities, and keeps why. The values are noted as being sent before they are: if their
 * outcome stays unknown, the next sync reads them back without taking them for news.
 * @param step identifies run and step: a record that it has written already counts the same
 */
export async function writePage(hub: Hub, planned: readonly PlannedRecord[], step: string): Promise<PushedRecord[]> {
  const done = planned.filter(({ state }) => state?.push?.step === step);
  const pushed: PushedRecord[] = done.map(each => toPushed(each, each.state!.push!));
  const pending = planned.filter(each => !done.includes(each));
  for (const object of ENTITY_OBJECTS) {
    const own = pending.filter(each => each.object === object);
    pushed.push(...(await updateRecords(hub, object, own, step)));
  }
  pushed.push(...(await createRecords(hub, pending, step)));
  return pushed;
}

function toPushed(planned: PlannedRecord, { outcome, error }: PushState): PushedRecord {
  return { planned, outcome, error };
}

async function updateRecords(
  hub: Hub,
  object: EntityObject,
  own: readonly PlannedRecord[],
  step: string,
): Promise<PushedRecord[]> {
  const existing = own.filter(({ record }) => record !== null);
  const changing = existing.filter(({ outcome }) => outcome === 'updated');
  await noteSending(hub, changing);
  const updates = changing.map(({ record, values }) => ({ id: record!.id, values }));
  const results = updates.length > 0 ? await adapterOf(hub).update(hub, object, updates) : [];
  return keepResults(
    hub,
    existing.map(planned => ({ planned, result: results[changing.indexOf(planned)] ?? null })),
    step,
  );
}

async function createRecords(hub: Hub, pending: readonly PlannedRecord[], step: string): Promise<PushedRecord[]> {
  const missing = pending.filter(({ record }) => record === null);
  if (missing.length === 0) return [];
  const contacts = missing.map(({ entity: { name, emails }, values }): NewContact => ({
    email: emails[0]!,
    name,
    values,
  }));
  const results = await adapterOf(hub).createContacts(hub, contacts);
  for (const [index, { entity }] of missing.entries()) {
    const result = results[index]!;
    if ('record' in result) await hub.graph.link(entity.entity_id, toFocus(hub, 'contacts', result.record.id).external);
  }
  return keepResults(
    hub,
    missing.map((planned, index) => ({ planned, result: results[index]! })),
    step,
  );
}

/** Keeps the values that are about to be sent. */
async function noteSending(hub: Hub, changing: readonly PlannedRecord[]): Promise<void> {
  const changes = changing.flatMap(({ object, record, entity, state, values }) => {
    const known = state ?? toUnreadState(record!, entity.entity_id);
    const push = { ...(known.push ?? NEVER_PUSHED), sending: values };
    return toStoreChanges(object, record!.id, { ...known, push });
  });
  await writeAll(hub, changes);
}

const NEVER_PUSHED: PushState = { at: null, error: null, sending: {}, reasons: {}, step: '', outcome: 'unchanged' };

type Written = Extract<WriteResult, { readonly record: unknown }>['record'];

/** The state of a record that no sync has read: what it states is still to be recorded. */
function toUnreadState({ updatedAt }: Written, entityId: string): RecordState {
  const about = { entityId, updatedAt, values: {}, name: null, emails: [], domain: null, mergedIds: [] };
  return { ...about, syncedAt: null, error: null, step: '', outcome: 'unchanged', push: null };
}

/** The state of a contact that was created: its name and address are no news. */
function toCreatedState(record: Written, entityId: string): RecordState {
  return { ...toUnreadState(record, entityId), name: record.name, emails: record.emails };
}

/** A planned record with what the CRM said; null if nothing was sent. */
interface SentRecord {
  readonly planned: PlannedRecord;
  readonly result: WriteResult | null;
}

async function keepResults(hub: Hub, sent: readonly SentRecord[], step: string): Promise<PushedRecord[]> {
  const at = hub.clock.now().toISOString();
  const changes: StoreChange[] = [];
  const entries: LogEntry[] = [];
  const pushed = sent.map((each): PushedRecord => {
    const { planned, result } = each;
    const error = result && 'error' in result ? result.error : null;
    const outcome = error === null ? planned.outcome : 'failed';
    const record = result && 'record' in result ? result.record : planned.record;
    // A contact that was refused has no record whose state could be kept; the report of the run has it.
    if (record !== null) {
      const state = toNextState(each, record, { at, error, step, outcome });
      changes.push(...toStoreChanges(planned.object, record.id, state));
      if (error === null) entries.push(...toEntries(planned, record.id, at));
      changes.push(...toReviewChanges(toReviews(planned, record.id, at)));
    }
    return { planned, outcome, error };
  });
  await writeAll(hub, [...changes, ...toLogChanges(entries, step)]);
  return pushed;
}

function toNextState(
  { planned, result }: SentRecord,
  record: Written,
  { at, error, step, outcome }: Pick<PushState, 'error' | 'step' | 'outcome'> & { readonly at: string },
): RecordState {
  const { state, entity, decisions, values } = planned;
  const toState = planned.record === null ? toCreatedState : toUnreadState;
  const known = state ?? toState(record, entity.entity_id);
  const isWritten = result !== null && error === null;
  const reasons = Object.fromEntries(decisions.map(({ property, reason }) => [property, reason]));
  const push = { at: isWritten ? at : (known.push?.at ?? null), error, sending: {}, reasons, step, outcome };
  // What an earlier attempt sent has arrived, although nobody said so.
  const arrived = Object.entries(known.push?.sending ?? {}).filter(([field, value]) => record.values[field] === value);
  if (!isWritten) return { ...known, values: { ...known.values, ...Object.fromEntries(arrived) }, push };
  // As the CRM keeps them, which can be in another form than they were sent.
  const kept = Object.entries(values).map(([field, value]) => [field, record.values[field] ?? value]);
  return { ...known, values: { ...known.values, ...Object.fromEntries(kept) }, push };
}

function toEntries({ object, entity, decisions, outcome }: PlannedRecord, id: string, at: string): LogEntry[] {
  const written = decisions.filter(({ action }) => action === 'write').map(each => toEntry(each, each.reason));
  const { entity_id, name } = entity;
  const about = { at, direction: 'push', object, id, entity_id, name } as const;
  return written.map(entry => ({ ...about, ...entry, ...(outcome === 'created' && { cause: 'created' }) }));
}

function toEntry({ field, property, theirs, ours }: FieldDecision, cause: string) {
  return { field, property, before: theirs, after: ours, cause };
}

function toReviews({ object, entity, decisions }: PlannedRecord, id: string, at: string): Review[] {
  return decisions
    .filter(({ action }) => action === 'review')
    .map(({ field, property, ours, theirs }) => ({
      object,
      id,
      entity_id: entity.entity_id,
      name: entity.name,
      property,
      field,
      ours: ours!,
      theirs,
      at,
    }));
}
