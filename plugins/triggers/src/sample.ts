import { randomUUID } from 'node:crypto';
import type { InteractionRecord } from '@rapport/plugin-sdk';
import type { TriggerEvent } from './events.js';
import { type Message, buildMessage } from './message.js';

const PROPERTIES: Readonly<Record<TriggerEvent, string>> = {
  'reply.received': 'interaction.email_replied',
  'connection.accepted': 'interaction.connection_accepted',
  'meeting.scheduled': 'interaction.meeting_scheduled',
  'meeting.cancelled': 'interaction.meeting_cancelled',
};

const PERSON = {
  id: '00000000-0000-7000-8000-000000000000',
  type: 'person',
  name: 'Ada Byron',
  email: 'ada@example.org',
  title: 'CFO',
  company: 'Example',
  claims: { title: { value: 'CFO', confidence: 0.9, freshness: 'fresh', epistemic_class: 'observed' } },
} as const;

/** A message such as a real one, about somebody who is not there. */
export function buildSample(event: TriggerEvent, now: string): Message {
  const landed: InteractionRecord = {
    event,
    entity_id: PERSON.id,
    recorded_at: now,
    observation: {
      id: randomUUID(),
      kind: 'event',
      property: PROPERTIES[event],
      value: { description: 'This is a test of your trigger.', test: true },
      source: 'triggers',
      method: 'test',
      observed_at: now,
      external_id: null,
    },
  };
  return buildMessage(landed, PERSON);
}
