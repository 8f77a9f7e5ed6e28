import { canonicalEvent, listEventNames } from '../properties/registry.js';

/** Interactions that are told as events of their own, by what the log calls them. */
const EVENT_BY_INTERACTION = {
  'interaction.email_replied': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
} as const;

/** What an interaction is told as. */
export type InteractionEvent = (typeof EVENT_BY_INTERACTION)[keyof typeof EVENT_BY_INTERACTION];

const eventsByInteraction: ReadonlyMap<string, InteractionEvent> = new Map(Object.entries(EVENT_BY_INTERACTION));

/** A reply only when it says that it came in. */
const POSSIBLE_REPLY = 'interaction.linkedin_message';

/** Methods of observations that tell of the past: whoever imports a history does not want it to be told as news. */
const BACKFILL_METHODS: ReadonlySet<string> = new Set(['import', 'backfill']);

/** Every property under which the log may hold such an interaction. */
export const EVENT_PROPERTIES: readonly string[] = [
  ...Object.keys(EVENT_BY_INTERACTION).flatMap(listEventNames),
  POSSIBLE_REPLY,
];

/** As what observations of a property may be told; undefined for those that never are. */
export function mayBecomeEvent(property: string): InteractionEvent | undefined {
  return property === POSSIBLE_REPLY ? 'reply.received' : eventsByInteraction.get(canonicalEvent(property));
}

/** As what an observation is told; undefined for one that is not. */
export function eventFor({ property, method, value }: LoggedInteraction): InteractionEvent | undefined {
  return BACKFILL_METHODS.has(method) ? undefined : eventsByInteraction.get(canonicalEvent(property, value));
}

/** As much of an observation as has to be known. */
export interface LoggedInteraction {
  readonly property: string;
  readonly method: string;
  readonly value: unknown;
}
