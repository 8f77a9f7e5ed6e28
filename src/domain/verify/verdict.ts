import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { Claim } from '#domain/claims/claim.js';
import { parseMemberChanges } from '#domain/claims/member-changes.js';
import type { PropertyRule } from '#domain/claims/rules.js';
import type { JsonValue } from '#domain/observation/observation.js';

/** What a second look at a fact has brought, in the order in which it is asked. */
export const VERDICTS = ['unknown', 'ended', 'changed', 'contested', 'stale', 'confirmed'] as const;

/** One of {@link VERDICTS}. */
export type Verdict = (typeof VERDICTS)[number];

/** A fact that is as sure as this may be acted upon, if it is fresh and nobody contests it. */
export const SAFE_CONFIDENCE = 0.7;

/**
 * The first that applies: nothing is known, it has ended, it is not what the caller believes, sources disagree, it is
 * suspect or expired; else it is confirmed.
 * @param matches whether the caller's value is that of the claim; undefined when the caller named none.
 */
export function decideVerdict(claim: Claim | undefined, matches: boolean | undefined): Verdict {
  if (!claim) return 'unknown';
  if (claim.status === 'ended') return 'ended';
  if (matches === false) return 'changed';
  if (claim.epistemic_class === 'contested') return 'contested';
  return claim.freshness === 'suspect' || claim.freshness === 'expired' ? 'stale' : 'confirmed';
}

/** Whether a fact may be acted upon without another look: current, fresh, surer than 0.7, and not contested. */
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
 * Whether what a caller believes is what the claim says, compared as statements are: case, width and spacing are
 * nothing. Of a property of many values all that the caller names must hold. What has ended is null, or an empty list.
 */
export function isClaimMatch(rule: PropertyRule, claim: Claim | undefined, believed: JsonValue): boolean {
  const key = (value: JsonValue) => canonicalKey(value, rule.normaliser);
  const value = claim?.value ?? null;
  if (rule.cardinality === 'single' || !Array.isArray(value)) return key(value) === key(believed);
  if (believed === null) return value.length === 0;
  const held = new Set(value.map(key));
  return parseMemberChanges(believed).every(member => held.has(key(member.value)) !== member.ended);
}
