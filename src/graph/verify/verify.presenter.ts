import type { Claim } from '#domain/claims/claim.js';
import type { Recommendation } from '#domain/verify/recommend.js';
import type { Verdict } from '#domain/verify/verdict.js';

/** A claim in the answer, under the name that the caller asked for. */
export type VerifiedClaim = Claim & { readonly entity_id: string };

/** Stands for a fact of which nothing was ever stated: an answer always shows a claim. */
export interface UnknownClaim {
  readonly property: string;
  readonly value: null;
  readonly confidence: 0;
  readonly freshness: 'unknown';
  readonly epistemic_class: 'unknown';
}

/** The answer of a second look at one fact. */
export interface VerifyResponse {
  readonly verdict: Verdict;
  /** Whether `after` may be acted upon: current, fresh, surer than 0.7, not contested. */
  readonly safe_to_use: boolean;
  readonly entity_id: string;
  /** As it was asked for. */
  readonly property: string;
  /** The claim as it is kept; null when none is, and when another time than now was asked for. */
  readonly before: VerifiedClaim | null;
  /** The claim as the log gives it. */
  readonly after: VerifiedClaim | UnknownClaim;
  readonly note: string;
  /** Given when the caller named a value. */
  readonly matches_value?: boolean;
  /** Whether the kept claim says anything else than the log. */
  readonly cached_differs: boolean;
  /** Ways to make surer of it, the best first; none when there is no need. */
  readonly recommended: readonly Recommendation[];
  /** Names the wish to look it up anew; missing when none was uttered, and when no connected plugin takes it. */
  readonly job_id?: string;
}

/** The claim that stands for one that nobody has stated. */
export function toUnknownClaim(property: string): UnknownClaim {
  return { property, value: null, confidence: 0, freshness: 'unknown', epistemic_class: 'unknown' };
}
