import { canonicalEvent, listEventNames } from '../properties/registry.js';
import { EVENT_PREFIX, type JsonValue, type StoredObservation } from './observation.js';
import type { Instant } from '../time/instant.js';

/** Direction of an interaction, as seen from the workspace. */
export type Direction = 'inbound' | 'outbound';

/** Events in which the other side acts. All others are outbound unless their value says otherwise. */
const inboundEvents: ReadonlySet<string> = new Set([
  'email_opened',
  'email_clicked',
  'email_replied',
  'unsubscribed',
  'call_held',
  'meeting_held',
  'connection_accepted',
  'linkedin_replied',
  'page_visited',
  'form_submitted',
  'product_used',
]);

/**
 * Beginning of the subject of an automatic reply, as a regular expression of PostgreSQL and JavaScript without case, in
 * eight languages.
 */
export const AUTO_REPLY_SUBJECT =
  '^(?:(?:re|aw|sv) ?: ?)?(?:out of (?:the )?office|automatic reply|auto[- ]?reply|autoreply|auto[- ]?response|ooo|' +
  'abwesen|automatische antwort|abwesenheits|réponse automatique|absence du bureau|absent du bureau|respuesta automática|' +
  'fuera de la oficina|risposta automatica|fuori sede|resposta automática|fora do escritório|automatisch antwoord|' +
  'afwezig|autosvar|frånvaro)';

/** Returns the direction of an event: the `direction` of its value, else the default of its type. */
export function resolveDirection(property: string, value: JsonValue): Direction {
  const stated = value !== null && typeof value === 'object' && !Array.isArray(value) ? value['direction'] : undefined;
  if (stated === 'inbound' || stated === 'outbound') return stated;
  return inboundEvents.has(stripEventPrefix(canonicalEvent(property))) ? 'inbound' : 'outbound';
}

/** Events without a person who speaks, as their canonical types: they start no conversation and end no silence. */
export const PASSIVE_EVENTS: ReadonlySet<string> = new Set([
  'email_opened',
  'email_clicked',
  'email_delivered',
  'email_bounced',
  'page_visited',
  'product_used',
  'unsubscribed',
  'out_of_office',
  'list_added',
]);

/** Passive events that are a sign of interest all the same: somebody who uses the product is in contact. */
const SIGNS_OF_INTEREST: ReadonlySet<string> = new Set(['email_clicked', 'product_used']);

/** The names in the log of events that make nobody engaged: machines send them, or nobody speaks. */
export const EVENTS_WITHOUT_ENGAGEMENT: readonly string[] = [...PASSIVE_EVENTS]
  .filter(type => !SIGNS_OF_INTEREST.has(type))
  .flatMap(type => listEventNames(`${EVENT_PREFIX}${type}`));

/** The names in the log of events in which the other side acts. */
export const INBOUND_EVENTS: readonly string[] = [...inboundEvents].flatMap(type =>
  listEventNames(`${EVENT_PREFIX}${type}`),
);

/** Returns a property without the prefix of events. */
export function stripEventPrefix(property: string): string {
  return property.startsWith(EVENT_PREFIX) ? property.slice(EVENT_PREFIX.length) : property;
}

/** First and last interaction with an entity, and its last inbound one; null if there is none. */
export interface Activity {
  readonly first: Instant | null;
  readonly last: Instant | null;
  readonly lastInbound: Instant | null;
}

/** Computes the activity of observations. Their order does not matter. */
export function computeActivity(observations: readonly StoredObservation[], now: Instant): Activity {
  const events = observations.filter(o => o.kind === 'event' && o.observedAt <= now);
  const inbound = events.filter(o => resolveDirection(o.property, o.value) === 'inbound');
  return { first: earliestTime(events), last: latestTime(events), lastInbound: latestTime(inbound) };
}

function latestTime(events: readonly StoredObservation[]): Instant | null {
  return events.reduce<Instant | null>((most, { observedAt }) => Math.max(most ?? observedAt, observedAt), null);
}

function earliestTime(events: readonly StoredObservation[]): Instant | null {
  return events.reduce<Instant | null>((most, { observedAt }) => Math.min(most ?? observedAt, observedAt), null);
}

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
