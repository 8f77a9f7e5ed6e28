import type { RelatedAccount } from './related-account.js';
import { canonicalEmailStatus } from '../properties/registry.js';
import type { JsonValue } from '../observation/observation.js';
import type { Instant } from '../time/instant.js';

/** Properties whose claims decide a class. */
export const DECIDING_PROPERTIES: readonly string[] = [
  'email',
  'email_status',
  'do_not_contact',
  'unsubscribed',
  'stage',
];

/** Evidence of a class: an observation, or a list. */
export interface DedupEvidence {
  readonly observationId?: string | undefined;
  readonly listId?: string | undefined;
  readonly at: Instant;
}

/** A claim that decides a class. */
export interface ClassifyingClaim {
  readonly value: JsonValue;
  readonly evidence: DedupEvidence;
}

/** The claims that decide a class, by canonical property. Ended claims are left out. */
export interface ClassifyingClaims {
  readonly do_not_contact?: ClassifyingClaim | undefined;
  readonly unsubscribed?: ClassifyingClaim | undefined;
  readonly email_status?: ClassifyingClaim | undefined;
  readonly stage?: ClassifyingClaim | undefined;
}

/** Status of a contact that is in the graph. */
export interface ContactStatus {
  readonly entityId: string;
  readonly claims: ClassifyingClaims;
  /** Key of the current address, if one was ever stated. */
  readonly currentEmail: string | undefined;
  /** Previous addresses by key, with the evidence of their replacement. */
  readonly formerEmails: ReadonlyMap<string, DedupEvidence>;
  /** Statuses by the key of the address that they are about. */
  readonly addressStatuses: ReadonlyMap<string, ClassifyingClaim>;
  /** Last time the contact reached out to us; null if never. */
  readonly lastInbound: DedupEvidence | null;
  /** The last interaction in either direction. */
  readonly lastActivity: DedupEvidence | null;
  /** The next meeting that was not cancelled. */
  readonly meeting: DedupEvidence | null;
  /** List memberships that count, newest first. */
  readonly lists: readonly DedupEvidence[];
  /** Of a company: whether it is a customer, or somebody there has an open deal. */
  readonly account?: RelatedAccount | undefined;
}

/** An entity that a row matches. */
export interface KnownContact {
  /** Kind of the identifier that matched. */
  readonly kind: string;
  readonly status: ContactStatus;
  /** Key of the address that matched, if it is not the one in the row. */
  readonly email?: string | undefined;
}

/** A row with the entities that its identifiers match. */
export interface DedupSubject {
  /** Key of the address in the row. */
  readonly email: string | undefined;
  /** Entities that its identifiers match, in the order address, profile, domain; empty if none is known. */
  readonly known: readonly KnownContact[];
  /** Set if the domain is blocked. */
  readonly blocked: DedupEvidence | null;
}

/** An address of a contact, as key and as text. */
export interface ContactAddress {
  readonly key: string;
  readonly value: string;
}

/**
 * Returns an address to use instead of a dead one: the current one, else the one known longest. Undefined if all known
 * addresses are dead.
 * @param addresses in the order in which they became known.
 */
export function findCurrentEmail(
  { currentEmail, formerEmails, addressStatuses }: ContactStatus,
  addresses: readonly ContactAddress[],
  dead: string | undefined,
): string | undefined {
  const isDead = ({ key }: ContactAddress) =>
    key === dead || formerEmails.has(key) || hasStatus(addressStatuses.get(key), 'bounced');
  const live = addresses.filter(address => !isDead(address));
  return (live.find(({ key }) => key === currentEmail) ?? live[0])?.value;
}

/** Returns whether a claim about an address states this canonical status. */
export function hasStatus(claim: ClassifyingClaim | undefined, status: string): boolean {
  return typeof claim?.value === 'string' && canonicalEmailStatus(claim.value) === status;
}
