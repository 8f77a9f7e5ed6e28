import { canonicalEvent, listEventNames } from '../properties/registry.js';

/** Interactions that emit an event of their own, by their property in the log. */
const EVENT_BY_INTERACTION = {
  'interaction.email_replied': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
} as const;

/** Type of an event that an interaction emits. */
export type InteractionEvent = (typeof EVENT_BY_INTERACTION)[keyof typeof EVENT_BY_INTERACTION];

const eventsByInteraction: ReadonlyMap<string, InteractionEvent> = new Map(Object.entries(EVENT_BY_INTERACTION));

/** Counts as a reply only if its value says that it was inbound. */
const POSSIBLE_REPLY = 'interaction.linkedin_message';

/** Methods of observations about the past. Importing a history should not emit events. */
const BACKFILL_METHODS: ReadonlySet<string> = new Set(['import', 'backfill']);

/** All properties under which the log may contain such interactions. */
export const EVENT_PROPERTIES: readonly string[] = [
  ...Object.keys(EVENT_BY_INTERACTION).flatMap(listEventNames),
  POSSIBLE_REPLY,
];

/** Returns the event type that observations of a property may emit, or undefined. */
export function mayBecomeEvent(property: string): InteractionEvent | undefined {
  return property === POSSIBLE_REPLY ? 'reply.received' : eventsByInteraction.get(canonicalEvent(property));
}

/** Returns the event type that an observation emits, or undefined. */
export function eventFor({ property, method, value }: LoggedInteraction): InteractionEvent | undefined {
  return BACKFILL_METHODS.has(method) ? undefined : eventsByInteraction.get(canonicalEvent(property, value));
}

/** The parts of an observation that decide its event. */
export interface LoggedInteraction {
  readonly property: string;
  readonly method: string;
  readonly value: unknown;
}
