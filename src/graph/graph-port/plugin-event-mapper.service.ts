import { Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { mayBecomeEvent, EVENT_PROPERTIES, eventFor } from '#domain/observation/interaction-events.js';
import type { ContactFacts } from '#sdk/events.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { PluginEventMapper } from '#plugin-host/surfaces/events/event.subscriber.js';
import { readContactFacts } from './contacts.queries.js';
import { readInteractions } from './interactions.service.js';

/** Namespace of plugin event IDs, which are derived from the internal event's ID so that a redelivery has the same ID. */
const EVENT_ID_NAMESPACE = '0f0cbb3c-5a0e-4a53-9d2c-51c3b1f0a7d2';

interface RecordedPayload {
  readonly entity_id: string;
  readonly entity_created: boolean;
  readonly observation_ids: readonly string[];
  readonly properties: readonly string[];
  readonly claims_recomputed: readonly string[];
}

/** Payload of a list import: one event for many contacts. */
interface ImportPayload {
  readonly lead_list_id: string;
  readonly entity_ids: readonly string[];
}

/**
 * Maps internal events to plugin events. A recorded observation may also mean a created contact, recomputed claims and
 * interactions; a list import means one event per contact. The record path emits one event, and further ones are derived
 * only if a plugin consumes them.
 */
@Injectable()
export class PluginEventMapperService extends PluginEventMapper {
  eventTypesFor({ type, payload }: HubEvent): readonly string[] {
    if (type !== 'observation.recorded') return [type];
    const { entity_created, properties, claims_recomputed } = payload as unknown as RecordedPayload;
    const created = entity_created ? ['contact.created'] : [];
    const interactions = new Set(properties.flatMap(property => mayBecomeEvent(property) ?? []));
    return [type, ...(claims_recomputed.length > 0 ? ['claims.recomputed'] : []), ...created, ...interactions];
  }

  async map(tx: Tx, events: readonly HubEvent[], isConsumed: (type: string) => boolean): Promise<readonly HubEvent[]> {
    const drafts = events.flatMap(event => this.toDrafts(event)).filter(({ type }) => isConsumed(type));
    const contacts = await readDraftContacts(tx, drafts);
    const interactions = await toInteractionEvents(tx, events, type => this.isInteraction(type) && isConsumed(type));
    return [...this.completeDrafts(drafts, contacts), ...interactions];
  }

  private completeDrafts(drafts: readonly EventDraft[], contacts: ReadonlyMap<string, ContactFacts>): HubEvent[] {
    return drafts.flatMap(({ event, type, payload, contact }): HubEvent[] => {
      if (contact === undefined) return [{ ...event, type, payload }];
      const facts = contacts.get(contact);
      const id = uuidv5(`${event.id} ${type} ${contact}`, EVENT_ID_NAMESPACE);
      return facts ? [{ ...event, id, type, payload: { ...facts, ...payload } }] : [];
    });
  }

  private toDrafts(event: HubEvent): EventDraft[] {
    const { type, payload } = event;
    if (type === 'contact.imported' && 'entity_ids' in payload) {
      const { lead_list_id: import_id, entity_ids } = payload as unknown as ImportPayload;
      return entity_ids.map(contact => ({ event, type, payload: { import_id }, contact }));
    }
    const types = this.eventTypesFor(event).filter(each => each === type || !this.isInteraction(each));
    return types.map((mappedType): EventDraft => {
      if (mappedType === type) return { event, type, payload };
      const { entity_id, claims_recomputed: properties } = payload as unknown as RecordedPayload;
      if (mappedType === 'contact.created') return { event, type: mappedType, payload: {}, contact: entity_id };
      const id = uuidv5(`${event.id} ${mappedType}`, EVENT_ID_NAMESPACE);
      return { event: { ...event, id }, type: mappedType, payload: { entity_id, properties } };
    });
  }

  private isInteraction(type: string): boolean {
    return INTERACTION_TYPES.has(type);
  }
}

const INTERACTION_TYPES: ReadonlySet<string> = new Set(
  EVENT_PROPERTIES.flatMap(property => mayBecomeEvent(property) ?? []),
);

/** Returns one event for each consumed interaction, with an ID derived from its observation. */
async function toInteractionEvents(tx: Tx, events: readonly HubEvent[], isConsumed: (type: string) => boolean) {
  const recorded = events.flatMap(event => {
    if (event.type !== 'observation.recorded') return [];
    const { entity_id, observation_ids, properties } = event.payload as unknown as RecordedPayload;
    const hasConsumer = properties.some(property => isConsumed(mayBecomeEvent(property) ?? ''));
    return hasConsumer ? [{ event, entity_id, observation_ids }] : [];
  });
  if (recorded.length === 0) return [];
  const rows = await readInteractions(
    tx,
    recorded.flatMap(({ observation_ids }) => observation_ids),
  );
  const byId = new Map(rows.map(row => [row.id, row]));
  return recorded.flatMap(({ event, entity_id, observation_ids }) =>
    observation_ids.flatMap((observation_id): HubEvent[] => {
      const row = byId.get(observation_id);
      const type = row && eventFor(row);
      if (!type || !isConsumed(type)) return [];
      const id = uuidv5(`${event.id} ${type} ${observation_id}`, EVENT_ID_NAMESPACE);
      return [{ ...event, id, type, payload: { entity_id, observation_id, property: row.property } }];
    }),
  );
}

/** A plugin event to complete. With `contact`, facts of that person are added; events of other entities are dropped. */
interface EventDraft {
  readonly event: HubEvent;
  readonly type: string;
  readonly payload: HubEvent['payload'];
  readonly contact?: string;
}

async function readDraftContacts(tx: Tx, drafts: readonly EventDraft[]): Promise<ReadonlyMap<string, ContactFacts>> {
  const ids = [...new Set(drafts.flatMap(({ contact }) => contact ?? []))];
  return ids.length === 0 ? new Map() : readContactFacts(tx, ids);
}
