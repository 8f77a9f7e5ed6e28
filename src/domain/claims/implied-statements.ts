import { isPlaceholder } from '#domain/properties/placeholders.js';
import { canonicalEvent, listEventNames } from '#domain/properties/registry.js';
import type { JsonValue, ObservationDraft, StoredObservation } from '../observation/observation.js';
import { isDeadAddress } from './bounce.js';
import { compareText, type Statement } from './property-state.js';
import { CORRECTED_BY } from './rules.js';
import { isTrustMatch } from './trust.js';

/** A property with a stated value. */
export interface ImpliedStatement {
  property: string;
  value: JsonValue;
  /** Set if it ends the value only where that is an opt-out. */
  liftsOptOut?: true;
}

type ObservationCore = Pick<ObservationDraft, 'kind' | 'property' | 'value' | 'source' | 'method'>;

const EMAIL_VALID: ImpliedStatement[] = [{ property: 'email_status', value: 'valid' }];
const EMAIL_BOUNCED: ImpliedStatement[] = [{ property: 'email_status', value: 'bounced' }];
const UNSUBSCRIBED: ImpliedStatement[] = [
  { property: 'do_not_contact', value: true },
  { property: 'email_status', value: 'unsubscribed' },
];

/** The opt-outs that a person lifts together: a correction of `do_not_contact` lifts the others. */
const LIFTED_WITH = new Map<string, ImpliedStatement[]>([
  ['do_not_contact', [liftOf('unsubscribed'), liftOf('email_status')]],
  ['unsubscribed', [liftOf('email_status')]],
]);

/** Facts that an event implies, by canonical event. */
const IMPLIED_BY_EVENT = new Map<string, ImpliedStatement[]>([
  ['interaction.email_bounced', EMAIL_BOUNCED],
  ['interaction.email_clicked', EMAIL_VALID],
  ['interaction.email_replied', EMAIL_VALID],
  ['interaction.unsubscribed', UNSUBSCRIBED],
]);

/**
 * Returns what an observation states: for a state its own property, for an event the facts it implies (mostly none). A
 * person who corrects `do_not_contact` or `unsubscribed` to false also lifts the opt-outs that go with it. A placeholder
 * such as `N/A` states nothing, also where it was recorded before placeholders were refused.
 */
export function impliedBy({ kind, property, value, source, method }: ObservationCore): ImpliedStatement[] {
  if (kind === 'state') {
    if (isPlaceholder(property, value)) return [];
    const isLifting = (value === false || value === null) && isTrustMatch(CORRECTED_BY, source, method);
    return [{ property, value }, ...((isLifting && LIFTED_WITH.get(property)) || [])];
  }
  const stated = IMPLIED_BY_EVENT.get(canonicalEvent(property)) ?? [];
  return stated === EMAIL_BOUNCED && !isDeadAddress(value) ? [] : stated;
}

/** Returns the statements of an observation for the fold, with its ID, origin, time and digest. */
export function toStatements(observation: StoredObservation): Statement[] {
  const { id, source, method, observedAt, digest } = observation;
  const event = observation.kind === 'event';
  return impliedBy(observation).map(stated => ({ id, source, method, observedAt, digest, event, ...stated }));
}

/** Returns the statements that observations make about one property. */
export function statementsFor(property: string, observations: readonly StoredObservation[]): Statement[] {
  return observations.flatMap(toStatements).filter(statement => statement.property === property);
}

/** Returns the states that can lift an opt-out of a property. A fold from the log reads them too. */
export function statesLifting(property: string): string[] {
  return [...LIFTED_WITH].filter(([, lifted]) => lifted.some(each => each.property === property)).map(([by]) => by);
}

/** Returns the state properties that an event can imply. */
export function propertiesImpliedBy(eventProperty: string): string[] {
  return (IMPLIED_BY_EVENT.get(canonicalEvent(eventProperty)) ?? []).map(stated => stated.property);
}

/**
 * Returns the event properties that can imply a property. A fold from the log reads them besides the property's own
 * rows.
 */
export function eventsImplying(property: string): string[] {
  return [...IMPLIED_BY_EVENT.keys()]
    .filter(event => propertiesImpliedBy(event).includes(property))
    .flatMap(listEventNames);
}

/**
 * Returns the properties whose claims a batch changes, sorted and without duplicates: `claims_recomputed` of the
 * appended rows.
 */
export function listTouchedProperties(observations: readonly ObservationCore[]): string[] {
  const touched = new Set(observations.flatMap(impliedBy).map(stated => stated.property));
  return [...touched].sort(compareText);
}

function liftOf(property: string): ImpliedStatement {
  return { property, value: null, liftsOptOut: true };
}
