import { canonicalEmailStatus, stageGroup } from '#domain/properties/registry.js';
import { DAY, type Instant } from '#domain/time/instant.js';
import type { DecidingClaim, Proof, Standing, Subject } from './standing.js';

/** The classes, the one that outranks all others first. */
export const OUTCOMES = ['unsubscribed', 'bounced', 'engaged', 'net_new'] as const;

/** One of {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number];

/** Why a row is in its class. */
export const REASONS = [
  'unsubscribed',
  'do_not_contact',
  'domain_blocked',
  'address_ended',
  'email_bounced',
  'inbound',
  'open_stage',
  'meeting_ahead',
  'recent_outreach',
  'in_list',
  'known',
  'new',
] as const;

/** One of {@link REASONS}. */
export type Reason = (typeof REASONS)[number];

/** The class of a row. */
export interface Classified {
  readonly outcome: Outcome;
  readonly reason: Reason;
  /** What it rests on; null for `net_new`. */
  readonly proof: Proof | null;
  /** Whose standing decided, and by which kind of identifier they were found; null when nobody is known. */
  readonly entityId: string | null;
  readonly matchedOn: string | null;
}

type Verdict = Pick<Classified, 'outcome' | 'reason' | 'proof'>;

/**
 * The class of a row: unsubscribed > bounced > engaged > net_new. Where its identifiers name several entities, the
 * class that outranks the others counts, so that nobody is written to by way of a second identity.
 * @param windowDays outreach that is younger counts as engaged.
 */
export function classify({ email, known, blocked }: Subject, now: Instant, windowDays: number): Classified {
  const found = known.map(({ kind, standing }) => {
    const verdict = verdictOn(standing, email, now, windowDays);
    return { ...verdict, entityId: standing.entityId, matchedOn: kind };
  });
  const [first] = found.toSorted((one, other) => rankOf(one.outcome) - rankOf(other.outcome));
  if (blocked && first?.outcome !== 'unsubscribed') {
    const whose = { entityId: first?.entityId ?? null, matchedOn: first?.matchedOn ?? null };
    return { outcome: 'unsubscribed', reason: 'domain_blocked', proof: blocked, ...whose };
  }
  return first ?? { outcome: 'net_new', reason: 'new', proof: null, entityId: null, matchedOn: null };
}

/** Place of a class in the order of precedence, 0 for the first. */
export function rankOf(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome);
}

function verdictOn(who: Standing, email: string | undefined, now: Instant, windowDays: number): Verdict {
  return (
    unsubscribedIn(who) ??
    bouncedIn(who, email) ??
    engagedIn(who, now, windowDays) ?? { outcome: 'net_new', reason: 'known', proof: null }
  );
}

function unsubscribedIn({ claims }: Standing): Verdict | undefined {
  const { unsubscribed, email_status: status, do_not_contact: wish } = claims;
  const left = isSet(unsubscribed) ? unsubscribed : hasStatus(status, 'unsubscribed') ? status : undefined;
  if (left) return { outcome: 'unsubscribed', reason: 'unsubscribed', proof: left.proof };
  return isSet(wish) ? { outcome: 'unsubscribed', reason: 'do_not_contact', proof: wish!.proof } : undefined;
}

/** The state of an address is that of the one which stands; another one of the same person may well be alive. */
function bouncedIn({ claims, currentEmail, endedEmails }: Standing, email: string | undefined): Verdict | undefined {
  const ended = email === undefined ? undefined : endedEmails.get(email);
  if (ended) return { outcome: 'bounced', reason: 'address_ended', proof: ended };
  const isMeant = email === undefined || currentEmail === undefined || currentEmail === email;
  const status = claims.email_status;
  if (!isMeant || !hasStatus(status, 'bounced')) return undefined;
  return { outcome: 'bounced', reason: 'email_bounced', proof: status!.proof };
}

function engagedIn(who: Standing, now: Instant, windowDays: number): Verdict | undefined {
  const recent = who.lastActivity && who.lastActivity.at >= now - windowDays * DAY ? who.lastActivity : null;
  const grounds: [Reason, Proof | null | undefined][] = [
    ['inbound', who.lastInbound],
    ['open_stage', isOpen(who.claims.stage) ? who.claims.stage?.proof : null],
    ['meeting_ahead', who.meeting],
    ['recent_outreach', recent],
    ['in_list', who.lists[0]],
  ];
  const ground = grounds.find(([, proof]) => proof);
  return ground && { outcome: 'engaged', reason: ground[0], proof: ground[1]! };
}

/** Whoever is only on the list of prospects has not been talked to; whoever was lost may be written to again. */
function isOpen(stage: DecidingClaim | undefined): boolean {
  if (typeof stage?.value !== 'string' || stage.value.trim() === '') return false;
  const group = stageGroup(stage.value);
  return group !== 'closed' && group !== 'prospecting';
}

function isSet(claim: DecidingClaim | undefined): boolean {
  return claim !== undefined && claim.value !== null && claim.value !== false && claim.value !== 'false';
}

function hasStatus(claim: DecidingClaim | undefined, status: string): boolean {
  return typeof claim?.value === 'string' && canonicalEmailStatus(claim.value) === status;
}
