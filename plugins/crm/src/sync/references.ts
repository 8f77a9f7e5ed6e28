import type { StoreChange } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import {
  type CrmField,
  type CrmRecord,
  type CrmStage,
  ENTITY_OBJECTS,
  type EntityObject,
  type FieldType,
} from '../adapters/adapter.js';
import { type FieldMapping, listMappings } from '../mapping/mapping.js';
import type { References } from '../mapping/values.js';
import type { Hub } from '../plugin.js';
import { readStates, writeAll } from './record-state.js';

const STAGES_KEY = 'stages';

/** What is kept of the fields of an object. */
interface KnownFields {
  /** Mapped fields that the CRM has, with the labels of their choices. */
  readonly choices: References['choices'];
  /** How the values of mapped fields become those of the graph. */
  readonly types: Readonly<Record<string, FieldType>>;
  /** Mapped fields that it computes itself. */
  readonly readOnly: readonly string[];
  /** Mapped fields that it does not have. */
  readonly missing: readonly string[];
}

const fieldsKey = (object: EntityObject) => `fields:${object}`;
const ownerKey = (id: string) => `owner:${id}`;

/** Asks the CRM for fields, stages and owners, which the records of a sync refer to, and keeps them. */
export async function refreshReferences(hub: Hub): Promise<void> {
  const adapter = adapterOf(hub);
  const changes: StoreChange[] = [];
  for (const object of ENTITY_OBJECTS) {
    const mappings = listMappings(adapter, object, hub.settings);
    const known = toKnownFields(mappings, await adapter.describe(hub, object));
    changes.push({ key: fieldsKey(object), value: known as never });
  }
  if (hub.settings.objects.includes('deals'))
    changes.push({ key: STAGES_KEY, value: (await adapter.listStages(hub)) as never });
  const owners = await adapter.listOwners(hub);
  changes.push(...owners.map(({ id, name }) => ({ key: ownerKey(id), value: name })));
  await writeAll(hub, changes);
}

function toKnownFields(mappings: readonly FieldMapping[], fields: readonly CrmField[]): KnownFields {
  const byName = new Map(fields.map(field => [field.name, field]));
  const choices = mappings.flatMap(({ field }) => {
    const known = byName.get(field);
    return known ? [[field, known.choices] as const] : [];
  });
  return {
    choices: Object.fromEntries(choices),
    types: Object.fromEntries(mappings.flatMap(({ field }) => toEntries(byName.get(field)))),
    readOnly: mappings.flatMap(({ field }) => (byName.get(field)?.isReadOnly ? [field] : [])),
    missing: mappings.flatMap(({ field }) => (byName.has(field) ? [] : [field])),
  };
}

function toEntries(field: CrmField | undefined): [string, FieldType][] {
  return field ? [[field.name, field.valueType]] : [];
}

/** The mapped fields of an object that the CRM has. One that it no longer has does not stop the others. */
export async function readFields(
  hub: Hub,
  object: EntityObject,
): Promise<{ readonly mappings: readonly FieldMapping[]; readonly choices: References['choices'] }> {
  const {
    choices = {},
    types = {},
    readOnly = [],
  } = (await hub.store.get<never>(fieldsKey(object))) ?? ({} as Partial<KnownFields>);
  const mappings = listMappings(adapterOf(hub), object, hub.settings);
  const existing = mappings.filter(({ field }) => Object.hasOwn(choices, field));
  const standard = new Set(adapterOf(hub).standardFields[object].map(({ field }) => field));
  const writable = existing.map(each => ({
    ...each,
    type: standard.has(each.field) ? each.type : (types[each.field] ?? each.type),
    isPushed: each.isPushed && !readOnly.includes(each.field),
  }));
  return { mappings: writable, choices };
}

/** Returns mapped fields that the CRM did not have at the last sync, as `<object>.<field>`. */
export async function listMissingFields(hub: Hub): Promise<string[]> {
  const missing: string[] = [];
  for (const object of ENTITY_OBJECTS) {
    const known = (await hub.store.get<never>(fieldsKey(object))) as KnownFields | undefined;
    missing.push(...(known?.missing ?? []).map(field => `${object}.${field}`));
  }
  return missing;
}

/** Returns the names of the owners of records by ID. */
export async function readOwners(
  hub: Hub,
  records: readonly CrmRecord[],
  fields: readonly string[],
): Promise<References['owners']> {
  const found = await hub.store.getMany<string>(listIds(records, fields).map(ownerKey));
  return new Map([...found].map(([key, name]) => [key.slice(ownerKey('').length), name]));
}

function listIds(records: readonly CrmRecord[], fields: readonly string[]): string[] {
  return [...new Set(records.flatMap(({ values }) => fields.flatMap(field => values[field] ?? [])))];
}

/** Returns the names of the companies that records belong to by ID, as they were read last. */
export async function readCompanyNames(
  hub: Hub,
  records: readonly CrmRecord[],
  fields: readonly string[],
): Promise<References['companies']> {
  const states = await readStates(hub, 'companies', listIds(records, fields));
  return new Map(
    [...states].flatMap(([id, state]): [string, string][] =>
      'erased' in state || state.name === null ? [] : [[id, state.name]],
    ),
  );
}

/** Returns the names of all owners by ID. */
export async function readAllOwners(hub: Hub): Promise<References['owners']> {
  const owners = new Map<string, string>();
  for (let after = ''; ;) {
    const page = await hub.store.list<string>(ownerKey(''), { limit: 1_000, ...(after !== '' && { after }) });
    for (const { key, value } of page) owners.set(key.slice(ownerKey('').length), value);
    if (page.length < 1_000) return owners;
    after = page.at(-1)!.key;
  }
}

/** Returns the stages of deals by ID. */
export async function readStages(hub: Hub): Promise<ReadonlyMap<string, CrmStage>> {
  const stages: readonly CrmStage[] = (await hub.store.get<never>(STAGES_KEY)) ?? [];
  return new Map(stages.map(stage => [stage.id, stage]));
}
