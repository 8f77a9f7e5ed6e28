import type { Claim } from '#domain/claims/claim.js';
import type { Recommendation, Verdict } from '#domain/verify/verdict.js';

/** A claim under the property name of the request. */
export type VerifiedClaim = Claim & { readonly entity_id: string };

/** Placeholder for a fact that was never stated, because a response always has a claim in `after`. */
export interface UnknownClaim {
  readonly property: string;
  readonly value: null;
  readonly confidence: 0;
  readonly freshness: 'unknown';
  readonly epistemic_class: 'unknown';
}

/** Response of the verify endpoint. */
export interface VerifyResponse {
  readonly verdict: Verdict;
  /** Whether `after` is safe to act on. */
  readonly safe_to_use: boolean;
  readonly entity_id: string;
  /** The property name of the request. */
  readonly property: string;
  /** The stored claim; null if there is none, and for another time than now. */
  readonly before: VerifiedClaim | null;
  /** The claim derived from the log. */
  readonly after: VerifiedClaim | UnknownClaim;
  readonly note: string;
  /** Whether `after` has the value of the request; omitted if the request has none. */
  readonly matches_value?: boolean;
  /** Whether the stored claim differs from the log. */
  readonly cached_differs: boolean;
  /** Actions that would raise the confidence, best first; empty if none is needed. */
  readonly recommended: readonly Recommendation[];
  /** ID of the refresh request; omitted if none was sent or no connected plugin supports it. */
  readonly job_id?: string;
}

/** Returns the placeholder for a fact that was never stated. */
export function toUnknownClaim(property: string): UnknownClaim {
  return { property, value: null, confidence: 0, freshness: 'unknown', epistemic_class: 'unknown' };
}
