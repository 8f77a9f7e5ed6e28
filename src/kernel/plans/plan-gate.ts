import { type Plan, isPlanAtLeast } from '#domain/plans/tiers.js';

/** Decides at every door (REST, MCP, hooks, jobs) what a plan includes. */
export class PlanGate {
  /**
   * Whether `plan` includes what is for each of the minimums and above: that of a plugin and that of its tool, say.
   * What names no minimum is for everybody.
   */
  static isAllowed(plan: Plan, ...minimums: readonly (Plan | undefined)[]): boolean {
    return minimums.every(minimum => minimum === undefined || isPlanAtLeast(plan, minimum));
  }
}
