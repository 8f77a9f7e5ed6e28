import type { Doubt } from '../claims/doubt.js';
import { gradeFreshness } from '../claims/confidence.js';
import { type ClaimRules, ruleOf } from '../claims/rules.js';
import { decay } from '../claims/trust.js';
import { DAY_US, type Instant, toIso } from '../time/instant.js';
import { type AttentionItem, roundTo1 } from './attention-item.js';
import {
  isStageOpen,
  isDoNotContact,
  type RuleShares,
  type AttentionEntity,
  type SubjectClaim,
  computePriorityWeight,
} from './attention-entity.js';

/** Minimum confidence at which a claim was usable. */
const MIN_USABLE_CONFIDENCE = 0.3;

/** Every fact of an entity matters if it was active within this many days. */
const ACTIVE_DAYS = 90;

/** Rule share of a property that no rule uses. */
export const DEFAULT_RULE_SHARE = 0.1;

/** Urgency of a contested claim, by whether a rule uses the property. */
const DISPUTE_URGENCY = { needed: 70, other: 35 };

/** Properties that Rapport derives itself, or that are not facts about an entity. */
const DERIVED_PROPERTY = /^(?:lead_score|play|status|owner|sequence_step|signal\.|action_item\.|exclusion\.|note\.)/;

/** Days without support after which a fact may be suspect, per property and for all others. */
export interface DecayTable {
  readonly properties: readonly string[];
  readonly days: readonly number[];
  readonly defaultDays: number;
}

/** Upper bound that no fact reaches. */
const MAX_AGE_DAYS = 1_000_000;

/**
 * Tolerates rounding differences to the same calculation in SQL: the table may select a few facts too many, but misses
 * none.
 */
const ROUNDING_MARGIN = 0.999;

/**
 * Builds the age table that preselects facts for {@link findDecayedFacts}. Facts younger than the table says are never
 * decayed.
 */
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
 * Returns items for facts that were usable and are now suspect or expired. Only entities in an open stage or active
 * within 90 days are checked, and properties that a rule uses. A fact of an earlier job is suspect at any age.
 *
 * urgency = 100 * (1 - freshness) * rule share * priority weight
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
    const { property, value, confidence, supportedAt, doubt } = claim;
    if (value === null || confidence < MIN_USABLE_CONFIDENCE || !(matters || shares.has(property))) return [];
    const { freshness, score } = gradeFreshnessAt(rules, claim, now);
    if ((freshness !== 'suspect' && freshness !== 'expired') || DERIVED_PROPERTY.test(property)) return [];
    const urgency = 100 * (1 - score) * (shares.get(property) ?? DEFAULT_RULE_SHARE) * weight;
    const days = Math.floor((now - supportedAt) / DAY_US);
    const { why, action } = doubt
      ? explainDoubtful(property, doubt)
      : {
          why: `nobody has stated for ${days} days (${freshness})`,
          action: `Verify ${property} before you rely on it.`,
        };
    const item: AttentionItem = {
      kind: 'decayed_fact',
      entityId: subject.entityId,
      about: property,
      urgency: roundTo1(urgency),
      since: supportedAt,
      what: `has ${withArticle(property)} that ${why}`,
      action,
      evidence: [],
      claim: property,
      missing: [property],
    };
    return [item];
  });
}

function withArticle(property: string): string {
  return `${/^[aeiou]/i.test(property) ? 'an' : 'a'} ${property}`;
}

function explainDoubtful(property: string, { kind, since }: Doubt): Pick<AttentionItem, 'action'> & { why: string } {
  const day = toIso(since).slice(0, 10);
  if (kind === 'bounced') return { why: `bounced on ${day}`, action: 'Find a working address before you write.' };
  const why = `was stated before the employer changed on ${day}`;
  return { why, action: `Verify ${property} for the new job before you rely on it.` };
}

/** Returns items for contested facts. Those that a rule uses are more urgent. */
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
      what: `has ${withArticle(property)} on which sources disagree`,
      action: `Decide which ${property} is right, and record it.`,
      evidence: [],
      claim: property,
      missing: [property],
    }));
}

/** A fact that is suspect for another reason than its age is as fresh as the oldest suspect one at most. */
function gradeFreshnessAt(rules: ClaimRules, { property, supportedAt, doubt }: SubjectClaim, now: Instant) {
  const byAge = decay(Math.max(0, now - supportedAt), ruleOf(rules, property).halfLife);
  const score = doubt === undefined ? byAge : Math.min(byAge, rules.freshness.suspect);
  return { freshness: gradeFreshness(rules.freshness, score), score };
}
