/** From which Fit score on a lead fits. */
const FITS = 70;

const tiers = [
  [85, 'tier_1'],
  [70, 'tier_2'],
  [50, 'tier_3'],
  [0, 'not_icp'],
] as const;

const bands = [
  [85, 'Red-hot'],
  [70, 'Hot'],
  [50, 'Warm'],
  [20, 'Aware'],
  [0, 'Dormant'],
] as const;

/** Word for how well a lead fits. */
export type Tier = (typeof tiers)[number][1];

/** Word for how interested a lead is. */
export type Band = (typeof bands)[number][1];

/** Whether a Fit score is that of an ideal customer; null when it is unknown. */
export function fits(score: number | null): boolean | null {
  return score === null ? null : score >= FITS;
}

/** The tier of a Fit score; null when it is unknown. */
export function tierOf(score: number | null): Tier | null {
  return score === null ? null : tiers.find(([least]) => score >= least)![1];
}

/** The band of an Intent score; null when it is unknown. */
export function bandOf(score: number | null): Band | null {
  return score === null ? null : bands.find(([least]) => score >= least)![1];
}
