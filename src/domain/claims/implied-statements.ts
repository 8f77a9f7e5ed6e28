import { isPlaceholder } from '#domain/properties/placeholders.js';
import { canonicalEvent, listEventNames } from '#domain/properties/registry.js';
import { isPlainObject } from '../observation/value-issue.js';
import type { JsonValue, ObservationDraft, StoredObservation } from '../observation/observation.js';
import { compareText, type Statement } from './property-state.js';

const TYPE_FIELDS = ['bounce_type', 'bounceType', 'type'];
const CODE_FIELDS = ['code', 'status', 'status_code', 'smtp_code', 'enhanced_code', 'bounce_code'];
const SOFT_TYPE = /^\s*(soft|transient|temporary)/i;
const HARD_TYPE = /^\s*(hard|permanent)/i;

/** An SMTP reply or enhanced status code of class 4, "try again later": 450, 4.2.2, "451 4.7.1 greylisted". */
const TEMPORARY_CODE = /^\s*4(\d\d|\.\d{1,3}\.\d{1,3})(?!\d)/;

/**
 * Returns whether a bounce is temporary: the mailbox exists but could not accept the message now. A soft bounce states
 * nothing about the address. The named type decides, else the code; a bounce with neither is hard.
 */
export function isSoftBounce(value: JsonValue): boolean {
  if (!isPlainObject(value)) return false;
  const types = TYPE_FIELDS.map(field => String(value[field] ?? ''));
  if (types.some(type => SOFT_TYPE.test(type))) return true;
  if (types.some(type => HARD_TYPE.test(type))) return false;
  return CODE_FIELDS.some(field => TEMPORARY_CODE.test(String(value[field] ?? '')));
}

/** A property with a stated value. */
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

/** Facts that an event implies, by canonical event. */
const IMPLIED_BY_EVENT = new Map<string, ImpliedStatement[]>([
  ['interaction.email_bounced', EMAIL_BOUNCED],
  ['interaction.email_clicked', EMAIL_VALID],
  ['interaction.email_replied', EMAIL_VALID],
  ['interaction.unsubscribed', UNSUBSCRIBED],
]);

/**
 * Returns what an observation states: for a state its own property, for an event the facts it implies (mostly none). A
 * placeholder such as `N/A` states nothing, also where it was recorded before placeholders were refused.
 */
export function impliedBy({ kind, property, value }: ObservationCore): ImpliedStatement[] {
  if (kind === 'state') return isPlaceholder(property, value) ? [] : [{ property, value }];
  const stated = IMPLIED_BY_EVENT.get(canonicalEvent(property)) ?? [];
  return stated === EMAIL_BOUNCED && isSoftBounce(value) ? [] : stated;
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
