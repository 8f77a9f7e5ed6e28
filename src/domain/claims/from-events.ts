import type { Json, ObservationInput, StoredObservation } from '#domain/observation/observation.js';
import { canonicalEvent, namesOfEvent } from '#domain/properties/registry.js';
import { isSoftBounce } from './bounce.js';
import { compareText } from './order.js';
import type { Statement } from './state.js';

/** A property and the value that is stated of it. */
export interface Stated {
  property: string;
  value: Json;
}

type Said = Pick<ObservationInput, 'kind' | 'property' | 'value'>;

const VALID: Stated[] = [{ property: 'email_status', value: 'valid' }];
const BOUNCED: Stated[] = [{ property: 'email_status', value: 'bounced' }];
const UNSUBSCRIBED: Stated[] = [
  { property: 'do_not_contact', value: true },
  { property: 'email_status', value: 'unsubscribed' },
];

/** Events that state facts beside having happened, by what they count as. */
const STATED_BY = new Map<string, Stated[]>([
  ['interaction.email_bounced', BOUNCED],
  ['interaction.email_clicked', VALID],
  ['interaction.email_replied', VALID],
  ['interaction.unsubscribed', UNSUBSCRIBED],
]);

/** What an observation states: its own property for a state, what follows from it for an event (mostly nothing). */
export function statedBy({ kind, property, value }: Said): Stated[] {
  if (kind === 'state') return [{ property, value }];
  const stated = STATED_BY.get(canonicalEvent(property)) ?? [];
  return stated === BOUNCED && isSoftBounce(value) ? [] : stated;
}

/** The same as statements for the fold, with the id, origin, time and digest of the observation. */
export function statementsOf(observation: StoredObservation): Statement[] {
  const { id, source, method, observedAt, digest } = observation;
  const event = observation.kind === 'event';
  return statedBy(observation).map(stated => ({ id, source, method, observedAt, digest, event, ...stated }));
}

/** The statements that rows of the log make about one property; the rest of what they say is left out. */
export function statementsOn(property: string, observations: readonly StoredObservation[]): Statement[] {
  return observations.flatMap(statementsOf).filter(statement => statement.property === property);
}

/** The state properties that an event of this property can state. */
export function propertiesStatedBy(eventProperty: string): string[] {
  return (STATED_BY.get(canonicalEvent(eventProperty)) ?? []).map(stated => stated.property);
}

/** The event properties that can state a property: what a fold from the log reads beside the property's own rows. */
export function eventsStating(property: string): string[] {
  return [...STATED_BY.keys()].filter(event => propertiesStatedBy(event).includes(property)).flatMap(namesOfEvent);
}

/** The properties whose claims a batch touches, sorted, each once: `claims_recomputed` of the rows really appended. */
export function touchedProperties(observations: readonly Said[]): string[] {
  const touched = new Set(observations.flatMap(statedBy).map(stated => stated.property));
  return [...touched].sort(compareText);
}
