import type { InteractionRecord } from '@rapport/plugin-sdk';

/** Name of an event that a trigger can be set for. */
export type TriggerEvent = InteractionRecord['event'];

/** All of them. */
export const EVENTS = ['reply.received', 'connection.accepted', 'meeting.scheduled', 'meeting.cancelled'] as const;

/** By the names of the observations, which clients of other products use. */
const ALIASES: Readonly<Record<string, TriggerEvent>> = {
  'interaction.email_replied': 'reply.received',
  'interaction.email_received': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.linkedin_message_received': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.linkedin_connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
};

/** The event of that name or alias. */
export function parseEventName(name: string): TriggerEvent | undefined {
  return EVENTS.find(event => event === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);
}
