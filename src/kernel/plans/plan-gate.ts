import { type Plan, reaches } from '#domain/plans/tiers.js';

/** Decides at every door (REST, MCP, hooks, jobs) what a plan includes. */
export class PlanGate {
  /** Whether `plan` includes what is for `minimum` and above; what names no minimum is for everybody. */
  static may(plan: Plan, minimum: Plan | undefined): boolean {
    return minimum === undefined || reaches(plan, minimum);
  }
}
