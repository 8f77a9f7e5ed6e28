import { stageGroup } from '../properties/registry.js';
import { DAY_US, type Instant } from '../time/instant.js';
import {
  type ClassifyingClaim,
  type DedupEvidence,
  type ContactStatus,
  type DedupSubject,
  hasStatus,
} from './contact-status.js';

/** Contact classes in order of precedence. */
export const DEDUP_OUTCOMES = ['unsubscribed', 'bounced', 'engaged', 'net_new'] as const;

/** One of {@link DEDUP_OUTCOMES}. */
export type DedupOutcome = (typeof DEDUP_OUTCOMES)[number];

/** Reasons for the class of a row. */
export const DEDUP_REASONS = [
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

/** One of {@link DEDUP_REASONS}. */
export type DedupReason = (typeof DEDUP_REASONS)[number];

/** Class of a row. */
export interface Classification {
  readonly outcome: DedupOutcome;
  readonly reason: DedupReason;
  /** Evidence of the class; null for `net_new`. */
  readonly evidence: DedupEvidence | null;
  /** The entity that decided, and the kind of identifier that matched it; null if no entity is known. */
  readonly entityId: string | null;
  readonly matchedOn: string | null;
}

type ClassVerdict = Pick<Classification, 'outcome' | 'reason' | 'evidence'>;

/**
 * Classifies a row: unsubscribed > bounced > engaged > net_new. If its identifiers match several entities, the class of
 * the highest precedence counts, so that nobody is contacted through a second identity.
 * @param windowDays outreach within this many days counts as engaged.
 */
export function classifyContact(
  { email, known, blocked }: DedupSubject,
  now: Instant,
  windowDays: number,
): Classification {
  const found = known.map(({ kind, status, email: matched = email }) => {
    const verdict = classifyEntity(status, matched, now, windowDays);
    return { ...verdict, entityId: status.entityId, matchedOn: kind };
  });
  const [first] = found.toSorted((one, other) => precedenceOf(one.outcome) - precedenceOf(other.outcome));
  if (blocked && first?.outcome !== 'unsubscribed') {
    const whose = { entityId: first?.entityId ?? null, matchedOn: first?.matchedOn ?? null };
    return { outcome: 'unsubscribed', reason: 'domain_blocked', evidence: blocked, ...whose };
  }
  return first ?? { outcome: 'net_new', reason: 'new', evidence: null, entityId: null, matchedOn: null };
}

/** Returns the precedence of a class, 0 for the highest. */
export function precedenceOf(outcome: DedupOutcome): number {
  return DEDUP_OUTCOMES.indexOf(outcome);
}

function classifyEntity(who: ContactStatus, email: string | undefined, now: Instant, windowDays: number): ClassVerdict {
  return (
    checkUnsubscribed(who) ??
    checkBounced(who, email) ??
    checkEngaged(who, now, windowDays) ?? { outcome: 'net_new', reason: 'known', evidence: null }
  );
}

function checkUnsubscribed({ claims }: ContactStatus): ClassVerdict | undefined {
  const { unsubscribed, email_status: status, do_not_contact: doNotContact } = claims;
  const left = isSet(unsubscribed) ? unsubscribed : hasStatus(status, 'unsubscribed') ? status : undefined;
  if (left) return { outcome: 'unsubscribed', reason: 'unsubscribed', evidence: left.evidence };
  return isSet(doNotContact)
    ? { outcome: 'unsubscribed', reason: 'do_not_contact', evidence: doNotContact!.evidence }
    : undefined;
}

/** `email_status` is that of the current address; another address of the same person has its own. */
function checkBounced(
  { claims, currentEmail, formerEmails, addressStatuses }: ContactStatus,
  email: string | undefined,
): ClassVerdict | undefined {
  const ended = email === undefined ? undefined : formerEmails.get(email);
  if (ended) return { outcome: 'bounced', reason: 'address_ended', evidence: ended };
  const isCurrent = email === undefined || email === currentEmail;
  const isOnly = currentEmail === undefined && addressStatuses.size === 0;
  const status = isCurrent || isOnly ? claims.email_status : addressStatuses.get(email);
  if (!hasStatus(status, 'bounced')) return undefined;
  return { outcome: 'bounced', reason: 'email_bounced', evidence: status!.evidence };
}

function checkEngaged(who: ContactStatus, now: Instant, windowDays: number): ClassVerdict | undefined {
  const recent = who.lastActivity && who.lastActivity.at >= now - windowDays * DAY_US ? who.lastActivity : null;
  const grounds: [DedupReason, DedupEvidence | null | undefined][] = [
    ['inbound', who.lastInbound],
    ['open_stage', isOpenStage(who.claims.stage) ? who.claims.stage?.evidence : null],
    ['meeting_ahead', who.meeting],
    ['recent_outreach', recent],
    ['in_list', who.lists[0]],
  ];
  const ground = grounds.find(([, evidence]) => evidence);
  return ground && { outcome: 'engaged', reason: ground[0], evidence: ground[1]! };
}

/** A prospect has not been talked to yet, and a lost deal may be contacted again. */
function isOpenStage(stage: ClassifyingClaim | undefined): boolean {
  if (typeof stage?.value !== 'string' || stage.value.trim() === '') return false;
  const group = stageGroup(stage.value);
  return group !== 'closed' && group !== 'prospecting';
}

function isSet(claim: ClassifyingClaim | undefined): boolean {
  return claim !== undefined && claim.value !== null && claim.value !== false && claim.value !== 'false';
}

/**
 * Finds for each row the index of the first row that shares a key with it, if there is one before it. Keys are those of
 * identifiers and entities; a row may have several.
 */
export class RepeatFinder {
  private readonly first = new Map<string, number>();
  private place = 0;

  /** Adds the keys of the next row and returns the index of the row that it repeats, or undefined. */
  add(keys: readonly string[]): number | undefined {
    const index = this.place++;
    const seen = keys.flatMap(key => this.first.get(key) ?? []);
    const original = seen.length > 0 ? Math.min(...seen) : undefined;
    for (const key of keys) if (!this.first.has(key)) this.first.set(key, original ?? index);
    return original;
  }
}

/** Returns the result of a {@link RepeatFinder} for each of these rows. */
export function findDuplicates(rows: readonly (readonly string[])[]): (number | undefined)[] {
  const finder = new RepeatFinder();
  return rows.map(keys => finder.add(keys));
}
