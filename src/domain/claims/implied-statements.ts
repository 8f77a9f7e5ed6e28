import type { JsonValue, ObservationDraft, StoredObservation } from '#domain/observation/observation.js';
import { isPlaceholder } from '#domain/properties/placeholders.js';
import { canonicalEvent, listEventNames } from '#domain/properties/registry.js';
import { isSoftBounce } from './bounce.js';
import { compareText } from './statement-order.js';
import type { Statement } from './property-state.js';

/** A property and the value that is stated of it. */
export interface ImpliedStatement {
  property: string;
  value: JsonValue;
}

type ObservationCore = Pick<ObservationDraft, 'kind' | 'property' | 'value'>;

const EMAIL_VALID: ImpliedStatement[] = [{ property: 'email_status', value: 'valid' }];
const EMAIL_BOUNCED: ImpliedStatement[] = [{ property: 'email_status', value: 'bounced' }];
const UNSUBSCRIBED: ImpliedStatement[] = [
  { property: 'do_not_contact', value: true },
  { property: 'email_status', value: 'unsubscribed' },
];

/** Events that state facts beside having happened, by what they count as. */
const IMPLIED_BY_EVENT = new Map<string, ImpliedStatement[]>([
  ['interaction.email_bounced', EMAIL_BOUNCED],
  ['interaction.email_clicked', EMAIL_VALID],
  ['interaction.email_replied', EMAIL_VALID],
  ['interaction.unsubscribed', UNSUBSCRIBED],
]);

/**
 * Returns what an observation states: its own property for a state, what follows from it for an event (mostly
 * nothing). A placeholder such as `N/A` states nothing, also where it was recorded before placeholders were refused.
 */
export function impliedBy({ kind, property, value }: ObservationCore): ImpliedStatement[] {
  if (kind === 'state') return isPlaceholder(property, value) ? [] : [{ property, value }];
  const stated = IMPLIED_BY_EVENT.get(canonicalEvent(property)) ?? [];
  return stated === EMAIL_BOUNCED && isSoftBounce(value) ? [] : stated;
}

/** The same as statements for the fold, with the id, origin, time and digest of the observation. */
export function toStatements(observation: StoredObservation): Statement[] {
  const { id, source, method, observedAt, digest } = observation;
  const event = observation.kind === 'event';
  return impliedBy(observation).map(stated => ({ id, source, method, observedAt, digest, event, ...stated }));
}

/** The statements that rows of the log make about one property; the rest of what they say is left out. */
export function statementsFor(property: string, observations: readonly StoredObservation[]): Statement[] {
  return observations.flatMap(toStatements).filter(statement => statement.property === property);
}

/** The state properties that an event of this property can state. */
export function propertiesImpliedBy(eventProperty: string): string[] {
  return (IMPLIED_BY_EVENT.get(canonicalEvent(eventProperty)) ?? []).map(stated => stated.property);
}

/** The event properties that can state a property: what a fold from the log reads beside the property's own rows. */
export function eventsImplying(property: string): string[] {
  return [...IMPLIED_BY_EVENT.keys()]
    .filter(event => propertiesImpliedBy(event).includes(property))
    .flatMap(listEventNames);
}

/** The properties whose claims a batch touches, sorted, each once: `claims_recomputed` of the rows really appended. */
export function listTouchedProperties(observations: readonly ObservationCore[]): string[] {
  const touched = new Set(observations.flatMap(impliedBy).map(stated => stated.property));
  return [...touched].sort(compareText);
}
