import { keysAgree } from '#domain/comparison/agreement.js';
import { comparisonKey } from '#domain/comparison/comparison-key.js';
import { comparisonTypeOf } from '#domain/comparison/comparison-type.js';
import type { Claim } from '#domain/claims/claim.js';
import { parseMemberChanges } from '#domain/claims/member-changes.js';
import type { PropertyRule } from '#domain/claims/rules.js';
import type { JsonValue } from '#domain/observation/observation.js';

/** Verdicts on a fact, in the order in which they are checked. */
export const VERDICTS = ['unknown', 'ended', 'changed', 'contested', 'stale', 'confirmed'] as const;

/** One of {@link VERDICTS}. */
export type Verdict = (typeof VERDICTS)[number];

/** A claim above this confidence is safe to act on, if it is fresh and not contested. */
export const SAFE_CONFIDENCE = 0.7;

/**
 * Returns the first verdict that applies: unknown, ended, different from the caller's value, contested, suspect or
 * expired; else confirmed.
 * @param matches whether the caller's value equals that of the claim; undefined if the caller gave none.
 */
export function decideVerdict(claim: Claim | undefined, matches: boolean | undefined): Verdict {
  if (!claim) return 'unknown';
  if (claim.status === 'ended') return 'ended';
  if (matches === false) return 'changed';
  if (claim.epistemic_class === 'contested') return 'contested';
  return claim.freshness === 'suspect' || claim.freshness === 'expired' ? 'stale' : 'confirmed';
}

/**
 * Returns whether a fact is safe to act on without checking: current, fresh, confidence above 0.7, and not contested.
 */
export function isSafe(claim: Claim | undefined): boolean {
  return (
    claim !== undefined &&
    claim.status === 'current' &&
    claim.freshness === 'fresh' &&
    claim.confidence > SAFE_CONFIDENCE &&
    claim.epistemic_class !== 'contested'
  );
}

/**
 * Returns whether the caller's value matches the claim, compared as claims are: a less exact value matches an exact
 * one. For a property with many values, all given values must be current. An ended fact matches null or an empty list.
 */
export function isClaimMatch(rule: PropertyRule, claim: Claim | undefined, believed: JsonValue): boolean {
  const key = (value: JsonValue) => comparisonKey(comparisonTypeOf(claim?.property ?? ''), value);
  const value = claim?.value ?? null;
  if (rule.cardinality === 'single' || !Array.isArray(value)) return keysAgree(key(value), key(believed));
  if (believed === null) return value.length === 0;
  const held = new Set(value.map(key));
  return parseMemberChanges(believed).every(member => held.has(key(member.value)) !== member.ended);
}
