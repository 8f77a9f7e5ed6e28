import { Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { mayBecomeEvent, EVENT_PROPERTIES, eventFor } from '#domain/observation/interaction-events.js';
import type { ContactFacts } from '#sdk/events.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { PluginEventMapper } from '#plugin-host/surfaces/events/plugin-event.mapper.js';
import { readContactFacts } from './contacts.queries.js';
import { readInteractions } from './interactions.queries.js';

/** Makes the id of a told event out of its event's, so that a repeat is the same one. */
const EVENT_ID_NAMESPACE = '0f0cbb3c-5a0e-4a53-9d2c-51c3b1f0a7d2';

interface RecordedPayload {
  readonly entity_id: string;
  readonly entity_created: boolean;
  readonly observation_ids: readonly string[];
  readonly properties: readonly string[];
  readonly claims_recomputed: readonly string[];
}

/** An import of a list, in one event for many. */
interface ImportPayload {
  readonly lead_list_id: string;
  readonly entity_ids: readonly string[];
}

/**
 * What is recorded may have made a contact known and claims anew; an import of a list tells of each of its people. So
 * the record path keeps one event, and only where a plugin listens does it become several.
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

  async map(tx: Tx, events: readonly HubEvent[], wanted: (type: string) => boolean): Promise<readonly HubEvent[]> {
    const drafts = events.flatMap(event => this.toDrafts(event)).filter(({ type }) => wanted(type));
    const contacts = await readDraftContacts(tx, drafts);
    const interactions = await toInteractionEvents(tx, events, type => this.isInteraction(type) && wanted(type));
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
    const own = this.eventTypesFor(event).filter(told => told === type || !this.isInteraction(told));
    return own.map((told): EventDraft => {
      if (told === type) return { event, type, payload };
      const { entity_id, claims_recomputed: properties } = payload as unknown as RecordedPayload;
      if (told === 'contact.created') return { event, type: told, payload: {}, contact: entity_id };
      const id = uuidv5(`${event.id} ${told}`, EVENT_ID_NAMESPACE);
      return { event: { ...event, id }, type: told, payload: { entity_id, properties } };
    });
  }

  private isInteraction(type: string): boolean {
    return INTERACTION_TYPES.has(type);
  }
}

const INTERACTION_TYPES: ReadonlySet<string> = new Set(
  EVENT_PROPERTIES.flatMap(property => mayBecomeEvent(property) ?? []),
);

/** Each interaction is an event of its own, known by its observation. */
async function toInteractionEvents(tx: Tx, events: readonly HubEvent[], wanted: (type: string) => boolean) {
  const recorded = events.flatMap(event => {
    if (event.type !== 'observation.recorded') return [];
    const { entity_id, observation_ids, properties } = event.payload as unknown as RecordedPayload;
    const isWanted = properties.some(property => wanted(mayBecomeEvent(property) ?? ''));
    return isWanted ? [{ event, entity_id, observation_ids }] : [];
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
      if (!type || !wanted(type)) return [];
      const id = uuidv5(`${event.id} ${type} ${observation_id}`, EVENT_ID_NAMESPACE);
      return [{ ...event, id, type, payload: { entity_id, observation_id, property: row.property } }];
    }),
  );
}

/** An event to tell. With `contact`, what is known of that person is added, and it is told of people alone. */
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
