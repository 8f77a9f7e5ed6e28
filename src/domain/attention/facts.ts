import { gradeOf } from '#domain/claims/freshness.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { decay } from '#domain/claims/strength.js';
import { DAY, type Instant } from '#domain/time/instant.js';
import type { AttentionItem } from './item.js';
import { round1 } from './going-dark.js';
import { isOpen, isShunned, type RuleShares, type Subject, type SubjectClaim, weightOfPriority } from './subject.js';

/** A claim below this confidence was never usable. */
const USABLE = 0.3;

/** Activity within these days makes every fact of somebody matter. */
const ACTIVE_DAYS = 90;

/** What a property counts that no rule of the workspace looks at. */
export const NO_RULE_SHARE = 0.1;

/** Urgency of a dispute, by whether a rule of the workspace looks at the property. */
const DISPUTE = { needed: 70, other: 35 };

/** What we derive ourselves, and what is no fact about somebody. */
const OURS = /^(?:lead_score|play|status|owner|sequence_step|signal\.|action_item\.|exclusion\.|note\.)/;

/** After how many days without support a fact of each of these properties may be suspect, and of every other one. */
export interface DecayTable {
  readonly properties: readonly string[];
  readonly days: readonly number[];
  readonly other: number;
}

/** Longer than any fact can be old. */
const NEVER_DAYS = 1_000_000;

/** Takes off what a calculation elsewhere may be out by: the table lets a few more through, never fewer. */
const MARGIN = 0.999;

/** From when facts are worth looking at for `decayedFacts`: younger ones are not among them. */
export function decayTable({ properties, unknownProperty, freshness }: ClaimRules): DecayTable {
  const daysOf = (halfLife: number) => Math.min(NEVER_DAYS, -Math.log2(freshness.aging) * halfLife * MARGIN);
  const rules = Object.entries(properties);
  return {
    properties: rules.map(([property]) => property),
    days: rules.map(([, { halfLife }]) => daysOf(halfLife)),
    other: daysOf(unknownProperty.halfLife),
  };
}

/**
 * Facts that could be used once and are suspect or expired, of somebody in an open stage or active within 90 days, or
 * that the workspace looks at. urgency = 100 * (1 - freshness) * share of the rules * weight of priority.
 */
export function decayedFacts(subject: Subject, shares: RuleShares, rules: ClaimRules, now: Instant): AttentionItem[] {
  if (isShunned(subject)) return [];
  const isActive = subject.lastActivity !== null && now - subject.lastActivity <= ACTIVE_DAYS * DAY;
  const matters = isActive || isOpen(subject);
  const weight = weightOfPriority(subject);
  return subject.claims.flatMap(claim => {
    const { property, value, confidence, supportedAt } = claim;
    if (value === null || confidence < USABLE || !(matters || shares.has(property))) return [];
    const { freshness, score } = freshnessAt(rules, claim, now);
    if ((freshness !== 'suspect' && freshness !== 'expired') || OURS.test(property)) return [];
    const urgency = 100 * (1 - score) * (shares.get(property) ?? NO_RULE_SHARE) * weight;
    const days = Math.floor((now - supportedAt) / DAY);
    const item: AttentionItem = {
      kind: 'decayed_fact',
      entityId: subject.entityId,
      about: property,
      urgency: round1(urgency),
      since: supportedAt,
      what: `has a ${property} that nobody has stated for ${days} days (${freshness})`,
      action: `Verify ${property} before you rely on it.`,
      evidence: [],
      claim: property,
      missing: [property],
    };
    return [item];
  });
}

/** Facts on which sources disagree; those that the workspace looks at first. */
export function contestedClaims(subject: Subject, shares: RuleShares): AttentionItem[] {
  return subject.claims
    .filter(claim => claim.class === 'contested' && !OURS.test(claim.property))
    .map(({ property, supportedAt }) => ({
      kind: 'contested_claim' as const,
      entityId: subject.entityId,
      about: property,
      urgency: round1((shares.has(property) ? DISPUTE.needed : DISPUTE.other) * weightOfPriority(subject)),
      since: supportedAt,
      what: `has a ${property} on which sources disagree`,
      action: `Decide which ${property} is right, and record it.`,
      evidence: [],
      claim: property,
      missing: [property],
    }));
}

function freshnessAt(rules: ClaimRules, { property, supportedAt }: SubjectClaim, now: Instant) {
  const score = decay(Math.max(0, now - supportedAt), ruleOf(rules, property).halfLife);
  return { freshness: gradeOf(rules.freshness, score), score };
}
