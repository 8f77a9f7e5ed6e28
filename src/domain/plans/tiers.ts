/** The plans of a workspace, from the smallest to the largest. */
export const PLANS = ['starter', 'growth', 'scale'] as const;

/** A plan of a workspace. */
export type Plan = (typeof PLANS)[number];

/** Whether a plan holds all that `minimum` holds. */
export function isPlanAtLeast(plan: Plan, minimum: Plan): boolean {
  return PLANS.indexOf(plan) >= PLANS.indexOf(minimum);
}

/** Whether a text names a plan. */
export function isPlan(text: unknown): text is Plan {
  return PLANS.includes(text as Plan);
}
