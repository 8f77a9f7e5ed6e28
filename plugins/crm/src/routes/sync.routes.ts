import { Injectable } from '@nestjs/common';
import type { RequestOf, ResponseOf } from '@rapport/plugin-sdk';
import type { EntityObject } from '../adapters/adapter.js';
import { adapterOf } from '../adapters/adapters.js';
import { type FieldMapping, listMappings } from '../mapping/mapping.js';
import { proposeProperty } from '../mapping/propose.js';
import { type Hub, plugin } from '../plugin.js';
import { type MassChange, readMassChange } from '../push/mass-change.js';
import { countReviews } from '../push/reviews.js';
import { type ErasedRecord, recordKey, type RecordState } from '../sync/record-state.js';
import { listMissingFields } from '../sync/references.js';
import { startSync } from '../sync/start-sync.js';
import { LAST_SYNC_KEY } from '../sync/sync.run.js';
import { toObjectName, unknownObject } from './record-address.js';

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
    const { provider, direction, auto_sync } = hub.settings;
    const last_sync = (await hub.store.get<never>(LAST_SYNC_KEY)) ?? null;
    const waiting = await readMassChange(hub);
    const mass_change = (waiting && !waiting.isApproved ? toMassChangeBody(waiting) : null) as never;
    const missing_fields = await listMissingFields(hub);
    const reviews = await countReviews(hub);
    return { body: { provider, direction, auto_sync, last_sync, mass_change, reviews, missing_fields } };
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

  @plugin.OnRoute('sync-record')
  async syncRecord(
    { params }: RequestOf<typeof plugin, 'sync-record'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'sync-record'>> {
    const object = toObjectName(params['object']);
    if (object === undefined) return unknownObject();
    const { id, status } = await startSync(hub, { record: { object, id: params['id']! } });
    if (status !== 'queued') {
      const detail = 'A sync is unfinished: wait for its end, or cancel it, and send this again.';
      return { status: 409, body: { error: 'sync_running', detail, run: id } };
    }
    return { status: 202, body: { run: id, dry_run: false } };
  }

  @plugin.OnRoute('fields')
  async listFields(
    { params }: RequestOf<typeof plugin, 'fields'>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'fields'>> {
    const object = toObjectName(params['object']);
    if (object === undefined) return unknownObject();
    const adapter = adapterOf(hub);
    const mappings = new Map(listMappings(adapter, object, hub.settings).map(mapping => [mapping.field, mapping]));
    const taken = new Set([...mappings.values()].map(({ property }) => property));
    const fields = (await adapter.describe(hub, object)).map(field => {
      const { name, label, type, isReadOnly } = field;
      const mapping = mappings.get(name);
      const proposed = mapping ? null : proposeProperty(object, field, taken);
      if (proposed !== null) taken.add(proposed);
      return {
        name,
        label,
        type,
        is_read_only: isReadOnly,
        property: mapping?.property ?? null,
        direction: toDirection(mapping, isReadOnly),
        wins: mapping?.wins ?? null,
        confidence_field: mapping?.confidenceField ?? null,
        freshness_field: mapping?.freshnessField ?? null,
        proposed,
      };
    });
    return { body: { fields: fields.toSorted((a, b) => rankField(a) - rankField(b)) } };
  }
}

function toMassChangeBody({ at, records, limit, samples }: MassChange) {
  return { at, records, limit, samples };
}

/** Orders fields: what is synced, what is proposed, and what else there is. */
function rankField({ property, proposed }: { property: string | null; proposed: string | null }): number {
  if (property !== null) return 0;
  return proposed === null ? 2 : 1;
}

function toDirection(mapping: FieldMapping | undefined, isReadOnly: boolean): string | null {
  if (!mapping) return null;
  const isPushed = mapping.isPushed && !isReadOnly;
  if (mapping.isPulled) return isPushed ? 'both' : 'pull';
  return isPushed ? 'push' : null;
}

function toRecordBody(object: EntityObject, id: string, known: RecordState | ErasedRecord | undefined) {
  if (known === undefined || 'erased' in known) {
    const state: 'unknown' | 'erased' = known ? 'erased' : 'unknown';
    const nothing = { entity_id: null, updated_at: null, synced_at: null, pushed_at: null, error: null };
    return { object, id, state, ...nothing, values: {}, reasons: {} };
  }
  const { entityId, updatedAt, syncedAt, deletedAt, values, push } = known;
  const error = known.error ?? push?.error ?? null;
  const state: 'synced' | 'failed' | 'deleted' = deletedAt ? 'deleted' : error === null ? 'synced' : 'failed';
  const times = { updated_at: updatedAt, synced_at: syncedAt, pushed_at: push?.at ?? null };
  return {
    object,
    id,
    state,
    entity_id: entityId,
    ...times,
    error,
    values: { ...values },
    reasons: { ...push?.reasons },
  };
}
