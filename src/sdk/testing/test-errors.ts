import type { ToolPlan } from '../tool.js';

/**
 * A tool was called on a plan that does not include it.
 * @example await expect(hub.call('acme_sync', {})).rejects.toThrow(PlanRequiredError);
 */
export class PlanRequiredError extends Error {
  override readonly name = 'PlanRequiredError';
  readonly code = 'plan_required';

  constructor(what: string, wanted: ToolPlan, plan: ToolPlan) {
    super(`${what} needs the plan "${wanted}", and this workspace has the plan "${plan}".`);
  }
}

/**
 * A tool's arguments do not fit its input schema; `problems` name the fields.
 * @example await expect(hub.call('acme_list_calls', {})).rejects.toThrow('focus');
 */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError';

  constructor(
    what: string,
    readonly problems: readonly string[],
  ) {
    super(`${what} does not take these arguments: ${problems.join('; ')}.`);
  }
}

/**
 * The same thing, delivered twice, left more behind than delivered once.
 * @example await expect(hub.inbound('calls', payload)).rejects.toThrow(NotIdempotentError);
 */
export class NotIdempotentError extends Error {
  override readonly name = 'NotIdempotentError';

  constructor(what: string, differences: readonly string[]) {
    super(`${what}, delivered a second time, left more behind: ${differences.join('; ')}.`);
  }
}
