import type { ToolPlan } from '../tool.js';

/**
 * A tool, resource or prompt was called on a plan that does not include it.
 * @example await expect(hub.call('acme_sync', {})).rejects.toThrow(PlanRequiredError);
 */
export class PlanRequiredError extends Error {
  override readonly name = 'PlanRequiredError';
  readonly code = 'plan_required';

  constructor(what: string, required: ToolPlan, plan: ToolPlan) {
    super(`${what} needs the plan "${required}", and this workspace has the plan "${plan}".`);
  }
}

/**
 * A tool, resource or prompt of a plugin that needs a connection was called without one.
 * @example await expect(hub.call('acme_sync', {})).rejects.toThrow(NotConnectedError);
 */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  readonly code = 'not_connected';

  constructor(what: string) {
    super(`${what} needs a connection, and this workspace has none.`);
  }
}

/**
 * The arguments do not match the declared ones; `problems` name the fields.
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
 * A repeated delivery changed something.
 * @example await expect(hub.inbound('calls', payload)).rejects.toThrow(NotIdempotentError);
 */
export class NotIdempotentError extends Error {
  override readonly name = 'NotIdempotentError';

  constructor(what: string, differences: readonly string[]) {
    super(`${what}, delivered a second time, left more behind: ${differences.join('; ')}.`);
  }
}
