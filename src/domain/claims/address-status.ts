import { toEmailKey } from '../identity/focus.js';
import { isPlainObject, type JsonValue, type ObservationDraft } from '../observation/observation.js';
import { canonicalEmailStatus, canonicalEvent } from '../properties/registry.js';
import type { Instant } from '../time/instant.js';
import { SAME_CALL_US } from './doubt.js';
import { impliedBy } from './implied-statements.js';
import { findPresentedTrack, type PropertyState, type Statement, type Track } from './property-state.js';
import { type ClaimRules, isOptOut, type PropertyRule, ruleOf } from './rules.js';
import { isCurrentTrack } from './track.js';
import { isTrustMatch } from './trust.js';

/** The property with the current address of an entity, and the one with what is known of whether it works. */
export const ADDRESS_PROPERTY = 'email';
export const ADDRESS_STATUS_PROPERTY = 'email_status';

/** Properties of which one decides how the other is presented, so both are read and stored together. */
export const LINKED_PROPERTIES: readonly string[] = [ADDRESS_PROPERTY, ADDRESS_STATUS_PROPERTY];

/** Details of an event that name the address of the contact; of mail from the contact, the sender. */
const ADDRESS_FIELDS = ['email', 'address', 'email_address', 'recipient', 'to'];
const SENDER_FIELDS = ['email', 'address', 'email_address', 'sender', 'from'];

/**
 * Returns the key of the e-mail address that an observation speaks of, if it states whether an address works: the one in
 * the details of the event, else the one by which the entity was given. For a stated status, also the one address that
 * the same call states. Undefined if none is named: it is then about the address that was current at its time.
 * @param focus key of the address by which the caller gave the entity.
 * @param call all observations of the call.
 */
export function findAboutAddress(
  observation: ObservationDraft,
  focus: string | undefined,
  call: readonly ObservationDraft[],
): string | undefined {
  if (!impliedBy(observation).some(({ property }) => property === ADDRESS_STATUS_PROPERTY)) return undefined;
  if (observation.kind === 'event') return findAddressInDetails(observation) ?? focus;
  // A correction of another opt-out, such as do_not_contact, lifts the opt-outs of all addresses.
  if (observation.property !== ADDRESS_STATUS_PROPERTY) return undefined;
  const stated = call.filter(({ kind, property }) => kind === 'state' && property === ADDRESS_PROPERTY);
  return (stated.length === 1 ? toEmailKey(stated[0]!.value) : undefined) ?? focus;
}

function findAddressInDetails({ property, value }: ObservationDraft): string | undefined {
  if (!isPlainObject(value)) return undefined;
  const isFromContact = canonicalEvent(property) === 'interaction.email_replied';
  const keys = (isFromContact ? SENDER_FIELDS : ADDRESS_FIELDS).map(field => toEmailKey(value[field]));
  return keys.find(key => key !== undefined);
}

/** What is known of whether an address works, and since when. */
export interface AddressStatus {
  /** Such as `valid`, `bounced` or `unsubscribed`. */
  readonly status: JsonValue;
  readonly statusAt: Instant;
}

/** Returns the status of each address of an entity that has one, by the key of the address. */
export function listAddressStatuses({ email, status }: LinkedStates): ReadonlyMap<string, AddressStatus> {
  const current = toEmailKey(email?.tracks[0]?.newest.value);
  const presented = status && findPresentedTrack(status);
  const named = (status?.tracks ?? []).filter(({ key }) => key !== '').map(track => [track.key, track] as const);
  const byAddress = new Map([...named, ...(current && presented ? [[current, presented] as const] : [])]);
  const standing = [...byAddress].filter(([, track]) => isCurrentTrack(track));
  return new Map(standing.map(([key, { newest }]) => [key, { status: newest.value, statusAt: newest.t }]));
}

/**
 * Returns the statements that the presented status of an address follows from: those about it, and those that name no
 * address, as if they named it.
 */
export function selectAboutAddress(
  statements: readonly Statement[],
  { address: presented }: Pick<PropertyState, 'address'>,
): Statement[] {
  const own = statements.filter(({ address }) => address === undefined || address === presented);
  return presented ? own.map(statement => ({ ...statement, address: presented })) : own;
}

/** The states of {@link LINKED_PROPERTIES} of one entity. */
export interface LinkedStates {
  readonly email?: PropertyState | undefined;
  readonly status?: PropertyState | undefined;
}

/**
 * Links the states of an entity's address and of its status. The status that is presented is that of the current
 * address; what was stated without an address counts if it was stated since the address is the current one. An opt-out
 * holds for every address until a person corrects it. The address learns whether it bounced.
 */
export function linkAddressStates(rules: ClaimRules, { email, status }: LinkedStates): LinkedStates {
  const tracks = status ? listApplicable(status.tracks, email?.tracks[0]) : [];
  const rule = ruleOf(rules, ADDRESS_STATUS_PROPERTY);
  const presented = selectOptOut(rule, status?.tracks ?? [], tracks[0]) ?? tracks[0];
  const bounced = tracks[0] && isBounced(tracks[0]) ? tracks[0].from : null;
  return {
    email: email && { ...email, bouncedAt: bounced },
    status: status && { ...status, address: presented?.key ?? null },
  };
}

/**
 * Returns the tracks that apply to the current address, the newest first. Without a current address every track does;
 * those of addresses that work come first.
 */
function listApplicable(tracks: readonly Track[], email: Track | undefined): Track[] {
  const current = email && toEmailKey(email.newest.value);
  if (email === undefined || current === undefined)
    return tracks.toSorted(
      (one, other) => Number(isBounced(one)) - Number(isBounced(other)) || compareNewest(one, other),
    );
  const since = email.periods > 0 ? email.from - SAME_CALL_US : -Infinity;
  return tracks
    .filter(({ key, newest }) => key === current || (key === '' && newest.t >= since))
    .toSorted(compareNewest);
}

function compareNewest(one: Track, other: Track): number {
  return other.newest.t - one.newest.t;
}

/** Returns the newest opt-out, of any address, unless a person corrected the status that applies after it. */
function selectOptOut(rule: PropertyRule, tracks: readonly Track[], applicable: Track | undefined): Track | undefined {
  const optOut = tracks.filter(({ newest }) => isOptOut(rule, newest.value)).toSorted(compareNewest)[0];
  if (!optOut || !applicable || applicable.newest.t <= optOut.newest.t) return optOut;
  const { source, method } = applicable.newest;
  return isTrustMatch(rule.clearableBy!, source, method) ? undefined : optOut;
}

function isBounced({ newest: { value } }: Track): boolean {
  return typeof value === 'string' && canonicalEmailStatus(value) === 'bounced';
}
