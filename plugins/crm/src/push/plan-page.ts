import type { EntityWithClaims } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import { type CrmRecord, ENTITY_OBJECTS, type EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import {
  entityKey,
  type ErasedRecord,
  type PushOutcome,
  readStates,
  type RecordAddress,
  type RecordState,
} from '../sync/record-state.js';
import { readAllOwners, readFields } from '../sync/references.js';
import { type Comparison, comparePairs, type FieldDecision, toWrittenValues } from './compare.js';
import { isReadyToCreate, LEAD_SCORE } from './creation.js';

/** What a push would do about an entity. */
export interface PlannedRecord {
  readonly entity: EntityWithClaims;
  readonly object: EntityObject;
  /** The record as the CRM has it now; null if it is to be created. */
  readonly record: CrmRecord | null;
  readonly state: RecordState | null;
  readonly decisions: readonly FieldDecision[];
  /** Values to write by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly outcome: PushOutcome;
}

/** An entity with where its record may be. */
interface Subject {
  readonly entity: EntityWithClaims;
  readonly object: EntityObject;
  /** ID of its record; null if none is known. */
  readonly recordId: string | null;
}

/** An entity whose record was found, or is to be created. */
interface Found extends Subject {
  readonly record: CrmRecord | null;
}

/**
 * Compares up to 100 entities with their records in the CRM, and plans what to write. Nothing is written.
 * @param entityIds those that no longer exist are left out
 */
export async function planPage(hub: Hub, entityIds: readonly string[]): Promise<PlannedRecord[]> {
  const comparisons = await readComparisons(hub);
  const properties = Object.values(comparisons).flatMap(({ mappings }) => mappings.map(({ property }) => property));
  const read = await hub.graph.readMany(entityIds, [...new Set([...properties, 'stage', LEAD_SCORE])]);
  const entities = [...new Map(read.flatMap(each => (each ? [[each.entity_id, each] as const] : []))).values()];
  const subjects = await locateRecords(hub, entities);
  const planned: PlannedRecord[] = [];
  for (const object of ENTITY_OBJECTS) {
    if (!hub.settings.objects.includes(object)) continue;
    const own = subjects.filter(each => each.object === object);
    planned.push(...(await planObject(hub, object, own, comparisons[object])));
  }
  return planned;
}

/** Reads how the fields of each object are compared. */
export async function readComparisons(hub: Hub): Promise<Record<EntityObject, Comparison>> {
  const [companies, contacts] = [await readFields(hub, 'companies'), await readFields(hub, 'contacts')];
  const hasOwners = [...companies.mappings, ...contacts.mappings].some(
    ({ isPushed, type }) => isPushed && type === 'owner',
  );
  const owners = hasOwners ? await readAllOwners(hub) : new Map<string, string>();
  const toComparison = ({ mappings, choices }: typeof contacts) => ({
    mappings,
    references: { choices, owners, companies: new Map<string, string>() },
  });
  return { companies: toComparison(companies), contacts: toComparison(contacts) };
}

/** Finds the records of entities: those that were read, or that another integration linked. */
async function locateRecords(hub: Hub, entities: readonly EntityWithClaims[]): Promise<Subject[]> {
  const { provider } = adapterOf(hub);
  const found = await hub.store.getMany<never>(entities.map(({ entity_id }) => entityKey(entity_id)));
  return entities.map(entity => {
    const address = found.get(entityKey(entity.entity_id)) as RecordAddress | undefined;
    const linked = entity.external_ids.find(({ system }) => system === provider)?.id;
    const object = entity.type === 'person' ? 'contacts' : 'companies';
    return { entity, object, recordId: address?.id ?? linked ?? null };
  });
}

async function planObject(
  hub: Hub,
  object: EntityObject,
  subjects: readonly Subject[],
  comparison: Comparison,
): Promise<PlannedRecord[]> {
  const fields = comparison.mappings.map(({ field }) => field);
  const found = await findRecords(hub, object, subjects, fields);
  const states = await readStates(
    hub,
    object,
    found.flatMap(({ record }) => (record ? [record.id] : [])),
  );
  const known = found.map(each => ({ ...each, state: each.record && states.get(each.record.id) }));
  const kept = known.filter(({ state }) => !isErased(state));
  const pairs = kept.map(({ entity, record, state }) => ({
    object,
    entity,
    record: record ?? { id: '', updatedAt: '', values: {} },
    lastRead: state && !isErased(state) ? state.values : null,
  }));
  const { mappings } = comparison;
  const decided = await comparePairs(hub, pairs, comparison);
  return kept.map(({ entity, record, state }, index) => {
    const decisions = decided[index]!;
    const values = toWrittenValues(decisions, mappings, entity);
    const outcome = toOutcome(record, decisions);
    return { entity, object, record, state: (state as RecordState | undefined) ?? null, decisions, values, outcome };
  });
}

function isErased(state: RecordState | ErasedRecord | null | undefined): state is ErasedRecord {
  return state !== null && state !== undefined && 'erased' in state;
}

function toOutcome(record: CrmRecord | null, decisions: readonly FieldDecision[]): PushOutcome {
  if (record === null) return 'created';
  if (decisions.some(({ action }) => action === 'write')) return 'updated';
  return decisions.some(({ action }) => action === 'review') ? 'review' : 'unchanged';
}

/**
 * Reads the records of entities by ID, else contacts by address, and adds those that may be created. Records of objects that
 * are not updated are left out.
 */
async function findRecords(
  hub: Hub,
  object: EntityObject,
  subjects: readonly Subject[],
  fields: readonly string[],
): Promise<Found[]> {
  const adapter = adapterOf(hub);
  const ids = subjects.flatMap(({ recordId }) => recordId ?? []);
  const byId = new Map((await adapter.readMany(hub, object, ids, fields)).map(record => [record.id, record]));
  const mayUpdate = hub.settings.update_in_crm.includes(object);
  const found = subjects.flatMap((subject): Found[] => {
    if (!mayUpdate) return [];
    const record = subject.recordId === null ? undefined : byId.get(subject.recordId);
    return record ? [{ ...subject, record }] : [];
  });
  const { create_in_crm: mayCreate, direction } = hub.settings;
  if (object !== 'contacts' || !(mayCreate || direction === 'push')) return found;
  const unknown = subjects.filter(({ recordId, entity }) => recordId === null && entity.emails.length > 0);
  const emails = [...new Set(unknown.map(({ entity }) => entity.emails[0]!))];
  const records = await adapter.findContacts(hub, emails, fields);
  const byEmail = new Map(records.flatMap(record => record.emails.map(email => [email, record] as const)));
  for (const subject of unknown) {
    const record = byEmail.get(subject.entity.emails[0]!) ?? null;
    if (record === null ? mayCreate && (await isReadyToCreate(hub, subject.entity)) : mayUpdate)
      found.push({ ...subject, record });
  }
  return found;
}
