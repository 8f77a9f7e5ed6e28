/** The plans of a workspace, from the smallest to the largest. */
export const PLANS = ['starter', 'growth', 'scale'] as const;

/** A plan of a workspace. */
export type Plan = (typeof PLANS)[number];

/** Returns whether a plan includes everything in `minimum`. */
export function isPlanAtLeast(plan: Plan, minimum: Plan): boolean {
  return PLANS.indexOf(plan) >= PLANS.indexOf(minimum);
}

/** Returns whether a text is a plan. */
export function isPlan(text: unknown): text is Plan {
  return PLANS.includes(text as Plan);
}
