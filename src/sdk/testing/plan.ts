import type { ToolPlan } from '../tool.js';

/** Plans, lowest first. */
export const plans: readonly ToolPlan[] = ['starter', 'growth', 'scale'];

/** Checks whether a plan is `minimum` or higher. */
export function isPlanIncluded(plan: ToolPlan, minimum: ToolPlan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(minimum);
}
