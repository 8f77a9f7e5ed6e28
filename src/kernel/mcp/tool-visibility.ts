import type { Plan } from '#domain/plans/tiers.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { toModelMessage } from './tool-errors.js';

/** Properties of a caller that decide which tools it can use. Tools of a plugin exist while the plugin runs. */
export interface ToolView {
  readonly plan: Plan;
  readonly scopes: readonly string[];
}

/** An item that only some callers may use. */
export interface AccessControlled {
  /** Name for messages, such as `tool record`. */
  readonly label: string;
  readonly options: Pick<McpToolOptions, 'minPlan' | 'scopes' | 'visibility'>;
}

/** `'unknown'`: treat the item as nonexistent. An object: its reason is shown to the model. */
export type AccessDenial = 'unknown' | { readonly reason: string };

/** Returns why a caller may not use an item; undefined if it may. */
export function checkAccess({ label, options }: AccessControlled, view: ToolView): AccessDenial | undefined {
  if (options.visibility === 'internal' && !view.scopes.includes('internal')) return 'unknown';
  if (!PlanGate.isAllowed(view.plan, options.minPlan)) {
    return deny(label, `needs the plan "${options.minPlan}", and this workspace has the plan "${view.plan}"`);
  }
  const scope = options.scopes.find(required => !view.scopes.includes(required));
  return scope === undefined ? undefined : { reason: toModelMessage(HubError.missingScope(scope, `The ${label}`))! };
}

/**
 * Returns whether a list shows an item: if the caller may use it, or lacks only `settings` and may write. An agent then
 * learns from a call who can grant the scope, and does not conclude that the workspace cannot be set up.
 */
export function isListed(item: AccessControlled, view: ToolView): boolean {
  const scopes = view.scopes.includes('write') ? [...view.scopes, 'settings'] : view.scopes;
  return checkAccess(item, { plan: view.plan, scopes }) === undefined;
}

/**
 * Builds a reason that a model reads in the middle of its work, because clients keep old lists after a change of plan
 * or key.
 */
function deny(what: string, reason: string): AccessDenial {
  return { reason: `The ${what} ${reason}. Do not retry; tell the user.` };
}
