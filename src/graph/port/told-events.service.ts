import { Injectable } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import type { ContactFacts } from '#sdk/events.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { ToldEvents } from '#kernel/plugins/jobs/told-events.js';
import { readContacts } from './contacts.queries.js';

/** Makes the id of a told event out of its event's, so that a repeat is the same one. */
const TOLD = '0f0cbb3c-5a0e-4a53-9d2c-51c3b1f0a7d2';

interface RecordedFacts {
  readonly entity_id: string;
  readonly entity_created: boolean;
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
    const { entity_created, claims_recomputed } = payload as unknown as RecordedFacts;
    const created = entity_created ? ['contact.created'] : [];
    return [type, ...(claims_recomputed.length > 0 ? ['claims.recomputed'] : []), ...created];
  }

  async tell(tx: Tx, events: readonly HubEvent[], wanted: (type: string) => boolean): Promise<readonly HubEvent[]> {
    const drafts = events.flatMap(event => this.draftsOf(event)).filter(({ type }) => wanted(type));
    const contacts = await contactsOf(tx, drafts);
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
    return this.typesOf(event).map((told): Draft => {
      if (told === type) return { event, type, payload };
      const { entity_id, claims_recomputed: properties } = payload as unknown as RecordedFacts;
      if (told === 'contact.created') return { event, type: told, payload: {}, contact: entity_id };
      const id = uuidv5(`${event.id} ${told}`, TOLD);
      return { event: { ...event, id }, type: told, payload: { entity_id, properties } };
    });
  }
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
