import {
  isPlainObject,
  isPlaceholder,
  type JsonValue,
  type ObservationDraft,
  type StoredObservation,
} from '../observation/observation.js';
import { canonicalEvent, listEventNames } from '../properties/registry.js';
import { compareText, type Statement } from './property-state.js';
import { CORRECTED_BY } from './rules.js';
import { isTrustMatch } from './trust.js';

const TYPE_FIELDS = ['bounce_type', 'bounceType', 'type'];
const CODE_FIELDS = ['code', 'status', 'status_code', 'smtp_code', 'enhanced_code', 'bounce_code'];
const TEXT_FIELDS = ['reason', 'message', 'description', 'diagnostic', 'diagnostic_code', 'detail', 'error', 'text'];
const SOFT_TYPE = /^\s*(soft|transient|temporary)/i;
const HARD_TYPE = /^\s*(hard|permanent)/i;

/** An enhanced status code of RFC 3463: class, subject and detail. */
const ENHANCED_CODE = /(?<![\d.])([45])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;
/** A reply code of RFC 5321, section 4.2. */
const REPLY_CODE = /^\s*([45]\d\d)(?!\d)/;

/**
 * The enhanced codes of an address that does not exist or takes no mail: 5.1.0 to 5.1.3 and 5.1.6 (bad or moved
 * address), 5.1.10 (the domain takes no mail), 5.2.1 (mailbox disabled), 5.4.1 (no answer, which Exchange Online sends
 * for an unknown recipient) and 5.4.4 (the domain cannot be routed). Others speak of the message, of a full mailbox
 * (5.2.2), of the sender (5.1.7, 5.1.8) or of a policy (5.7.x).
 */
const DEAD_ADDRESS = new Set(['1.0', '1.1', '1.2', '1.3', '1.6', '1.10', '2.1', '4.1', '4.4']);
/** Reply codes that speak of something else when no enhanced code stands beside them: 552 is a full mailbox. */
const OTHER_REPLIES = new Set(['552', '554']);
/** What a server says when a mailbox is full or a policy refuses the message. */
const OTHER_REASON =
  /\b(?:mailbox (?:is )?full|over ?quota|quota exceeded|exceeded (?:\w+ )?quota|insufficient storage|policy|policies|spam|blocked|blocklist(?:ed)?|blacklist(?:ed)?|block list|reputation|dmarc|dkim|spf|rate limit(?:ed)?|too large|size limit|content rejected|greylist(?:ed)?)\b/i;

/**
 * Returns whether a bounce says that the address is dead. A temporary failure, a full mailbox and a message refused by a
 * policy say nothing about the address. The enhanced status code decides; without one the named type, then the reply
 * code and the server's text. A bounce that names none of them counts as dead.
 */
export function isDeadAddress(value: JsonValue): boolean {
  if (typeof value === 'string') return isDeadByText(value);
  if (!isPlainObject(value)) return true;
  const read = (fields: readonly string[]) => fields.map(field => String(value[field] ?? '')).filter(Boolean);
  const types = read(TYPE_FIELDS);
  if (types.some(type => SOFT_TYPE.test(type))) return false;
  const isHard = types.some(type => HARD_TYPE.test(type));
  const texts = [...read(CODE_FIELDS), ...read(TEXT_FIELDS)];
  return isDeadByCode(texts, isHard) ?? (isHard || texts.every(isDeadByText));
}

/** Decides by the first enhanced code, if there is one. The word "hard" of a provider outweighs a temporary code. */
function isDeadByCode(texts: readonly string[], isHard: boolean): boolean | undefined {
  for (const text of texts) {
    const code = ENHANCED_CODE.exec(text);
    if (code) return code[1] === '4' ? isHard : DEAD_ADDRESS.has(`${Number(code[2])}.${Number(code[3])}`);
  }
  return undefined;
}

function isDeadByText(text: string): boolean {
  const code = ENHANCED_CODE.exec(text);
  if (code) return code[1] === '5' && DEAD_ADDRESS.has(`${Number(code[2])}.${Number(code[3])}`);
  const reply = REPLY_CODE.exec(text)?.[1];
  if (reply && (reply.startsWith('4') || OTHER_REPLIES.has(reply))) return false;
  return !OTHER_REASON.test(text);
}

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
  const { id, source, method, observedAt, digest, aboutAddress } = observation;
  const event = observation.kind === 'event';
  return impliedBy(observation).map(stated => {
    const address = stated.property === 'email_status' && aboutAddress != null ? { address: aboutAddress } : undefined;
    return { id, source, method, observedAt, digest, event, ...stated, ...address };
  });
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
