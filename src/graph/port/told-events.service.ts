import { Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { mayBeToldAs, TOLD_PROPERTIES, toldAs } from '#domain/observation/told-interaction.js';
import type { ContactFacts } from '#sdk/events.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { ToldEvents } from '#kernel/plugins/jobs/told-events.js';
import { readContacts } from './contacts.queries.js';
import { readInteractions } from './interactions.queries.js';

/** Makes the id of a told event out of its event's, so that a repeat is the same one. */
const TOLD = '0f0cbb3c-5a0e-4a53-9d2c-51c3b1f0a7d2';

interface RecordedFacts {
  readonly entity_id: string;
  readonly entity_created: boolean;
  readonly observation_ids: readonly string[];
  readonly properties: readonly string[];
  readonly claims_recomputed: readonly string[];
}

/** An import of a list, in one event for many. */
interface ImportedList {
  readonly lead_list_id: string;
  readonly entity_ids: readonly string[];
}

/**
 * What is recorded may have made a contact known and claims anew; an import of a list tells of each of its people. So
 * the record path keeps one event, and only where a plugin listens does it become several.
 */
@Injectable()
export class ToldEventsService extends ToldEvents {
  typesOf({ type, payload }: HubEvent): readonly string[] {
    if (type !== 'observation.recorded') return [type];
    const { entity_created, properties, claims_recomputed } = payload as unknown as RecordedFacts;
    const created = entity_created ? ['contact.created'] : [];
    const interactions = new Set(properties.flatMap(property => mayBeToldAs(property) ?? []));
    return [type, ...(claims_recomputed.length > 0 ? ['claims.recomputed'] : []), ...created, ...interactions];
  }

  async tell(tx: Tx, events: readonly HubEvent[], wanted: (type: string) => boolean): Promise<readonly HubEvent[]> {
    const drafts = events.flatMap(event => this.draftsOf(event)).filter(({ type }) => wanted(type));
    const contacts = await contactsOf(tx, drafts);
    const interactions = await interactionsOf(tx, events, type => this.isInteraction(type) && wanted(type));
    return [...this.told(drafts, contacts), ...interactions];
  }

  private told(drafts: readonly Draft[], contacts: ReadonlyMap<string, ContactFacts>): HubEvent[] {
    return drafts.flatMap(({ event, type, payload, contact }): HubEvent[] => {
      if (contact === undefined) return [{ ...event, type, payload }];
      const facts = contacts.get(contact);
      const id = uuidv5(`${event.id} ${type} ${contact}`, TOLD);
      return facts ? [{ ...event, id, type, payload: { ...facts, ...payload } }] : [];
    });
  }

  private draftsOf(event: HubEvent): Draft[] {
    const { type, payload } = event;
    if (type === 'contact.imported' && 'entity_ids' in payload) {
      const { lead_list_id: import_id, entity_ids } = payload as unknown as ImportedList;
      return entity_ids.map(contact => ({ event, type, payload: { import_id }, contact }));
    }
    const own = this.typesOf(event).filter(told => told === type || !this.isInteraction(told));
    return own.map((told): Draft => {
      if (told === type) return { event, type, payload };
      const { entity_id, claims_recomputed: properties } = payload as unknown as RecordedFacts;
      if (told === 'contact.created') return { event, type: told, payload: {}, contact: entity_id };
      const id = uuidv5(`${event.id} ${told}`, TOLD);
      return { event: { ...event, id }, type: told, payload: { entity_id, properties } };
    });
  }

  private isInteraction(type: string): boolean {
    return INTERACTIONS.has(type);
  }
}

const INTERACTIONS: ReadonlySet<string> = new Set(TOLD_PROPERTIES.flatMap(property => mayBeToldAs(property) ?? []));

/** Each interaction is an event of its own, known by its observation. */
async function interactionsOf(tx: Tx, events: readonly HubEvent[], wanted: (type: string) => boolean) {
  const recorded = events.flatMap(event => {
    if (event.type !== 'observation.recorded') return [];
    const { entity_id, observation_ids, properties } = event.payload as unknown as RecordedFacts;
    const isWanted = properties.some(property => wanted(mayBeToldAs(property) ?? ''));
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
      const type = row && toldAs(row);
      if (!type || !wanted(type)) return [];
      const id = uuidv5(`${event.id} ${type} ${observation_id}`, TOLD);
      return [{ ...event, id, type, payload: { entity_id, observation_id, property: row.property } }];
    }),
  );
}

/** An event to tell. With `contact`, what is known of that person is added, and it is told of people alone. */
interface Draft {
  readonly event: HubEvent;
  readonly type: string;
  readonly payload: HubEvent['payload'];
  readonly contact?: string;
}

async function contactsOf(tx: Tx, drafts: readonly Draft[]): Promise<ReadonlyMap<string, ContactFacts>> {
  const ids = [...new Set(drafts.flatMap(({ contact }) => contact ?? []))];
  return ids.length === 0 ? new Map() : readContacts(tx, ids);
}
