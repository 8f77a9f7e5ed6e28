import type { ToolPlan } from '../tool.js';

/** Plans, lowest first. */
export const plans: readonly ToolPlan[] = ['starter', 'growth', 'scale'];

/** Whether a plan includes what is for `minimum` and above. */
export function isPlanIncluded(plan: ToolPlan, minimum: ToolPlan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(minimum);
}
