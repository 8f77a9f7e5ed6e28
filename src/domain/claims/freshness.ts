import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { FreshnessGrades } from './rules.js';
import { decay } from './weight.js';

/** Grade for how likely a fact still holds since it was last supported. */
export type Freshness = 'fresh' | 'aging' | 'suspect' | 'expired';

/** Freshness of a claim at one time, with the times at which it will drop. */
export interface FreshnessReading {
  freshness: Freshness;
  /** 2^(-age/halfLife), 0..1, not rounded: the modelled probability that nothing has changed. */
  score: number;
  /** Time at which the claim stops being `fresh`; null for facts that do not age. */
  refreshDueAt: Instant | null;
  /** Time at which the claim expires; null for facts that do not age. */
  decaysAt: Instant | null;
}

/** Computes the freshness as of `asOf` of a fact with `halfLife` in days that was last supported at `supportedAt`. */
export function computeFreshness(
  grades: FreshnessGrades,
  halfLife: number,
  supportedAt: Instant,
  asOf: Instant,
): FreshnessReading {
  const score = decay(Math.max(0, asOf - supportedAt), halfLife);
  const reaches = (share: number): Instant | null =>
    Number.isFinite(halfLife) ? supportedAt + Math.round(-Math.log2(share) * halfLife * DAY_US) : null;
  return {
    freshness: gradeFreshness(grades, score),
    score,
    refreshDueAt: reaches(grades.fresh),
    decaysAt: reaches(grades.suspect),
  };
}

/** Returns the grade of a freshness score. */
export function gradeFreshness(grades: FreshnessGrades, score: number): Freshness {
  if (score >= grades.fresh) return 'fresh';
  if (score >= grades.aging) return 'aging';
  return score >= grades.suspect ? 'suspect' : 'expired';
}
