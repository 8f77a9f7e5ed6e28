import { roundTo4 } from '#domain/claims/confidence.js';
import type { LeadScore } from '#domain/score/score-lead.js';

/** How a model scores the leads it was tried on. */
export interface Coverage {
  /** Number of leads the model was tried on. */
  readonly leads: number;
  /** Number of leads with a known Fit. */
  readonly scored: number;
  /** Average coverage of the Fit layer: the share of its rules with known facts, 0 to 1, four decimals. */
  readonly average_coverage: number;
  readonly tiers: Readonly<Record<'tier_1' | 'tier_2' | 'tier_3' | 'not_icp' | 'unknown', number>>;
}

/** Computes the coverage of a model from the scores of a sample of leads. */
export function computeCoverage(scores: readonly LeadScore[]): Coverage {
  const tiers = { tier_1: 0, tier_2: 0, tier_3: 0, not_icp: 0, unknown: 0 };
  for (const { tier } of scores) tiers[tier ?? 'unknown'] += 1;
  const sum = scores.reduce((all, { layers }) => all + layers.fit.coverage, 0);
  const average = scores.length > 0 ? roundTo4(sum / scores.length) : 0;
  return { leads: scores.length, scored: scores.length - tiers.unknown, average_coverage: average, tiers };
}
