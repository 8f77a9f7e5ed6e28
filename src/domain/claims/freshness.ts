import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { FreshnessGrades } from './rules.js';
import { decay } from './weight.js';

/** How likely a fact is still what it was when last supported. */
export type Freshness = 'fresh' | 'aging' | 'suspect' | 'expired';

/** The freshness of a claim at one time, and when it will change for the worse. */
export interface FreshnessReading {
  freshness: Freshness;
  /** 2^(-age/halfLife), 0..1, not rounded: the modelled chance that nothing has changed. */
  score: number;
  /** When it leaves `fresh`; null for facts that do not age. */
  refreshDueAt: Instant | null;
  /** When it will be expired; null for facts that do not age. */
  decaysAt: Instant | null;
}

/** Reads the freshness of a fact with `halfLife` in days, last supported at `supportedAt`, as of `asOf`. */
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

/** The grade of a freshness score. */
export function gradeFreshness(grades: FreshnessGrades, score: number): Freshness {
  if (score >= grades.fresh) return 'fresh';
  if (score >= grades.aging) return 'aging';
  return score >= grades.suspect ? 'suspect' : 'expired';
}
