import { canonicalEvent, namesOfEvent } from '../properties/registry.js';

/** Interactions that are told as events of their own, by what the log calls them. */
const TOLD = {
  'interaction.email_replied': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
} as const;

/** What an interaction is told as. */
export type ToldInteraction = (typeof TOLD)[keyof typeof TOLD];

const told: ReadonlyMap<string, ToldInteraction> = new Map(Object.entries(TOLD));

/** A reply only when it says that it came in. */
const MAY_BE_REPLY = 'interaction.linkedin_message';

/** Methods of observations that tell of the past: whoever imports a history does not want it to be told as news. */
const QUIET: ReadonlySet<string> = new Set(['import', 'backfill']);

/** Every property under which the log may hold such an interaction. */
export const TOLD_PROPERTIES: readonly string[] = [...Object.keys(TOLD).flatMap(namesOfEvent), MAY_BE_REPLY];

/** As what observations of a property may be told; undefined for those that never are. */
export function mayBeToldAs(property: string): ToldInteraction | undefined {
  return property === MAY_BE_REPLY ? 'reply.received' : told.get(canonicalEvent(property));
}

/** As what an observation is told; undefined for one that is not. */
export function toldAs({ property, method, value }: LoggedInteraction): ToldInteraction | undefined {
  return QUIET.has(method) ? undefined : told.get(canonicalEvent(property, value));
}

/** As much of an observation as has to be known. */
export interface LoggedInteraction {
  readonly property: string;
  readonly method: string;
  readonly value: unknown;
}
