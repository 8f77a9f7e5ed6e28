import { gradeFreshness } from '#domain/claims/freshness.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { decay } from '#domain/claims/weight.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { AttentionItem } from './attention-item.js';
import { roundTo1 } from './going-dark.js';
import {
  isStageOpen,
  isDoNotContact,
  type RuleShares,
  type AttentionEntity,
  type SubjectClaim,
  computePriorityWeight,
} from './attention-entity.js';

/** A claim below this confidence was never usable. */
const MIN_USABLE_CONFIDENCE = 0.3;

/** Activity within these days makes every fact of somebody matter. */
const ACTIVE_DAYS = 90;

/** What a property counts that no rule of the workspace looks at. */
export const DEFAULT_RULE_SHARE = 0.1;

/** Urgency of a dispute, by whether a rule of the workspace looks at the property. */
const DISPUTE_URGENCY = { needed: 70, other: 35 };

/** What we derive ourselves, and what is no fact about somebody. */
const DERIVED_PROPERTY = /^(?:lead_score|play|status|owner|sequence_step|signal\.|action_item\.|exclusion\.|note\.)/;

/** After how many days without support a fact of each of these properties may be suspect, and of every other one. */
export interface DecayTable {
  readonly properties: readonly string[];
  readonly days: readonly number[];
  readonly defaultDays: number;
}

/** Longer than any fact can be old. */
const MAX_AGE_DAYS = 1_000_000;

/** Takes off what a calculation elsewhere may be out by: the table lets a few more through, never fewer. */
const ROUNDING_MARGIN = 0.999;

/** From when facts are worth looking at for `decayedFacts`: younger ones are not among them. */
export function buildDecayTable({ properties, unknownProperty, freshness }: ClaimRules): DecayTable {
  const daysOf = (halfLife: number) => Math.min(MAX_AGE_DAYS, -Math.log2(freshness.aging) * halfLife * ROUNDING_MARGIN);
  const rules = Object.entries(properties);
  return {
    properties: rules.map(([property]) => property),
    days: rules.map(([, { halfLife }]) => daysOf(halfLife)),
    defaultDays: daysOf(unknownProperty.halfLife),
  };
}

/**
 * Facts that could be used once and are suspect or expired, of somebody in an open stage or active within 90 days, or
 * that the workspace looks at. urgency = 100 * (1 - freshness) * share of the rules * weight of priority.
 */
export function findDecayedFacts(
  subject: AttentionEntity,
  shares: RuleShares,
  rules: ClaimRules,
  now: Instant,
): AttentionItem[] {
  if (isDoNotContact(subject)) return [];
  const isActive = subject.lastActivity !== null && now - subject.lastActivity <= ACTIVE_DAYS * DAY_US;
  const matters = isActive || isStageOpen(subject);
  const weight = computePriorityWeight(subject);
  return subject.claims.flatMap(claim => {
    const { property, value, confidence, supportedAt } = claim;
    if (value === null || confidence < MIN_USABLE_CONFIDENCE || !(matters || shares.has(property))) return [];
    const { freshness, score } = gradeFreshnessAt(rules, claim, now);
    if ((freshness !== 'suspect' && freshness !== 'expired') || DERIVED_PROPERTY.test(property)) return [];
    const urgency = 100 * (1 - score) * (shares.get(property) ?? DEFAULT_RULE_SHARE) * weight;
    const days = Math.floor((now - supportedAt) / DAY_US);
    const item: AttentionItem = {
      kind: 'decayed_fact',
      entityId: subject.entityId,
      about: property,
      urgency: roundTo1(urgency),
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
export function findContestedClaims(subject: AttentionEntity, shares: RuleShares): AttentionItem[] {
  return subject.claims
    .filter(claim => claim.class === 'contested' && !DERIVED_PROPERTY.test(claim.property))
    .map(({ property, supportedAt }) => ({
      kind: 'contested_claim' as const,
      entityId: subject.entityId,
      about: property,
      urgency: roundTo1(
        (shares.has(property) ? DISPUTE_URGENCY.needed : DISPUTE_URGENCY.other) * computePriorityWeight(subject),
      ),
      since: supportedAt,
      what: `has a ${property} on which sources disagree`,
      action: `Decide which ${property} is right, and record it.`,
      evidence: [],
      claim: property,
      missing: [property],
    }));
}

function gradeFreshnessAt(rules: ClaimRules, { property, supportedAt }: SubjectClaim, now: Instant) {
  const score = decay(Math.max(0, now - supportedAt), ruleOf(rules, property).halfLife);
  return { freshness: gradeFreshness(rules.freshness, score), score };
}
