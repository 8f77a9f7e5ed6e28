import { roundTo4 } from '#domain/claims/confidence.js';
import type { LeadScore } from '#domain/score/score-lead.js';

/** How a model does on leads that there are. */
export interface Coverage {
  /** Leads that it was tried on. */
  readonly leads: number;
  /** Those whose Fit it can tell. */
  readonly scored: number;
  /** Share of what it asks of a lead that is known, on average, 0..1. */
  readonly average_coverage: number;
  readonly tiers: Readonly<Record<'tier_1' | 'tier_2' | 'tier_3' | 'not_icp' | 'unknown', number>>;
}

/** Counts how leads come out. */
export function computeCoverage(scores: readonly LeadScore[]): Coverage {
  const tiers = { tier_1: 0, tier_2: 0, tier_3: 0, not_icp: 0, unknown: 0 };
  for (const { tier } of scores) tiers[tier ?? 'unknown'] += 1;
  const sum = scores.reduce((all, { layers }) => all + layers.fit.coverage, 0);
  const average = scores.length > 0 ? roundTo4(sum / scores.length) : 0;
  return { leads: scores.length, scored: scores.length - tiers.unknown, average_coverage: average, tiers };
}
