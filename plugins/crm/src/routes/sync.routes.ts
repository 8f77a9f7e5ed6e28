import { Injectable } from '@nestjs/common';
import type { FailureResponse, RequestOf, ResponseOf } from '@rapport/plugin-sdk';
import { ENTITY_OBJECTS, type EntityObject } from '../adapters/adapter.js';
import { adapterOf } from '../adapters/adapters.js';
import { listMappings } from '../mapping/mapping.js';
import { type Hub, plugin } from '../plugin.js';
import { type ErasedRecord, recordKey, type RecordState } from '../sync/record-state.js';
import { listMissingFields } from '../sync/references.js';
import { startSync } from '../sync/schedule.job.js';
import { LAST_SYNC_KEY } from '../sync/sync.run.js';

/** What users of the hub call. */
@Injectable()
export class SyncRoutes {
  @plugin.OnRoute('sync')
  async start({ body = {} }: RequestOf<typeof plugin, 'sync'>, hub: Hub): Promise<ResponseOf<typeof plugin, 'sync'>> {
    const { id } = await startSync(hub, body);
    return { status: 202, body: { run: id, dry_run: body.dry_run ?? false } };
  }

  @plugin.OnRoute('status')
  async readStatus(
    _request: RequestOf<typeof plugin, 'status'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'status'>> {
    const { provider, auto_sync } = hub.settings;
    const last_sync = (await hub.store.get<never>(LAST_SYNC_KEY)) ?? null;
    return { body: { provider, auto_sync, last_sync, missing_fields: await listMissingFields(hub) } };
  }

  @plugin.OnRoute('record')
  async readRecord(
    { params }: RequestOf<typeof plugin, 'record'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'record'>> {
    const object = toObjectName(params['object']);
    const id = params['id']!;
    if (object === undefined) return unknownObject();
    const known = (await hub.store.get<never>(recordKey(object, id))) as RecordState | ErasedRecord | undefined;
    return { body: toRecordBody(object, id, known) };
  }

  @plugin.OnRoute('fields')
  async listFields(
    { params }: RequestOf<typeof plugin, 'fields'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'fields'>> {
    const object = toObjectName(params['object']);
    if (object === undefined) return unknownObject();
    const adapter = adapterOf(hub);
    const properties = new Map(
      listMappings(adapter, object, hub.settings.field_map).map(({ field, property }) => [field, property]),
    );
    const fields = (await adapter.describe(hub, object)).map(({ name, label, type }) => ({
      name,
      label,
      type,
      property: properties.get(name) ?? null,
    }));
    return { body: { fields: fields.toSorted((a, b) => Number(b.property !== null) - Number(a.property !== null)) } };
  }
}

function toObjectName(text: string | undefined): EntityObject | undefined {
  return ENTITY_OBJECTS.find(object => object === text);
}

function unknownObject(): FailureResponse {
  return { status: 404, body: { error: 'not_found', detail: 'Records are of "companies" or "contacts".' } };
}

function toRecordBody(object: EntityObject, id: string, known: RecordState | ErasedRecord | undefined) {
  if (known === undefined || 'erased' in known) {
    const state: 'unknown' | 'erased' = known ? 'erased' : 'unknown';
    return { object, id, state, entity_id: null, updated_at: null, synced_at: null, error: null, values: {} };
  }
  const { entityId, updatedAt, syncedAt, error, values } = known;
  const state: 'synced' | 'failed' = error === null ? 'synced' : 'failed';
  const times = { updated_at: updatedAt, synced_at: syncedAt };
  return { object, id, state, entity_id: entityId, ...times, error, values: { ...values } };
}
