import { type Plan, isPlanAtLeast } from '#domain/plans/tiers.js';

/** Decides for REST, MCP, webhooks and jobs what a plan includes. */
export class PlanGate {
  /**
   * Returns whether `plan` is at least each of the minimums, such as that of a plugin and that of its tool. Undefined
   * minimums are ignored.
   */
  static isAllowed(plan: Plan, ...minimums: readonly (Plan | undefined)[]): boolean {
    return minimums.every(minimum => minimum === undefined || isPlanAtLeast(plan, minimum));
  }
}
