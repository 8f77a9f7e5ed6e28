import type { StoreChange } from '@rapport/plugin-sdk';
import type { EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import type { Reason } from '../push/decide.js';
import { cut } from './graph-calls.js';

/** What became of a record in a sync. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';

/** What is remembered of a record of the CRM. */
export interface RecordState {
  /** The person or company; null if the record was refused. */
  readonly entityId: string | null;
  /** When the record was last changed in the CRM. */
  readonly updatedAt: string;
  /** Values of the fields as they were read. */
  readonly values: Readonly<Record<string, string | null>>;
  readonly name: string | null;
  readonly emails: readonly string[];
  readonly domain: string | null;
  readonly mergedIds: readonly string[];
  /** When a sync found that it was deleted, ISO 8601; absent if it was not. */
  readonly deletedAt?: string;
  /** Time of its last statement, ISO 8601; absent if it stated nothing. The next one is later. */
  readonly statedAt?: string;
  /** When it last stated something new. */
  readonly syncedAt: string | null;
  readonly error: string | null;
  /** The step that wrote this, and what it did: a step that is repeated counts the same. */
  readonly step: string;
  readonly outcome: Outcome;
  /** What was last written to the record; null if nothing was compared yet. */
  readonly push: PushState | null;
}

/** What became of a record when its values were compared with the claims. */
export type PushOutcome = 'created' | 'updated' | 'unchanged' | 'review' | 'skipped' | 'failed';

/** What is remembered of writing to a record. */
export interface PushState {
  /** When values were last written, ISO 8601. */
  readonly at: string | null;
  /** Why the CRM refused the last ones. */
  readonly error: string | null;
  /** Values by field that are being sent. Whether they arrived is unknown after a crash: read back, they state nothing. */
  readonly sending: Readonly<Record<string, string>>;
  /** Why each property was written or not, the last time. */
  readonly reasons: Readonly<Record<string, Reason>>;
  readonly step: string;
  readonly outcome: PushOutcome;
}

/** Stands for a record whose person was erased: it is never read again. */
export interface ErasedRecord {
  readonly erased: true;
}

/** Returns the key of the state of a record. */
export function recordKey(object: EntityObject, id: string): string {
  return `record:${object}:${id}`;
}

/** Returns the key under which the record of a person or company is found, in case they are erased. */
export function entityKey(entityId: string): string {
  return `entity:${entityId}`;
}

/** Reads the states of records by ID. */
export async function readStates(
  hub: Hub,
  object: EntityObject,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordState | ErasedRecord>> {
  const keys = ids.map(id => recordKey(object, id));
  const found = await hub.store.getMany<never>(keys);
  return new Map(ids.flatMap((id, index) => (found.has(keys[index]!) ? [[id, found.get(keys[index]!)!]] : [])));
}

/** Returns the changes of the store that keep a state. */
export function toStoreChanges(object: EntityObject, id: string, state: RecordState): StoreChange[] {
  const own: StoreChange = { key: recordKey(object, id), value: state as never };
  if (state.entityId === null) return [own];
  return [own, { key: entityKey(state.entityId), value: { object, id } }];
}

/** Writes changes of the store, as many at once as it takes. */
export async function writeAll(hub: Hub, changes: readonly StoreChange[]): Promise<void> {
  for (const part of cut(changes)) await hub.store.write(part);
}

/** Where the record of an entity is. */
export interface RecordAddress {
  readonly object: EntityObject;
  readonly id: string;
}
