import type { Plan } from '#domain/plans/tiers.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';

/** All that decides which tools a caller has. Tools of plugins are there as long as the plugin serves. */
export interface ToolView {
  readonly plan: Plan;
  readonly scopes: readonly string[];
}

/** Something that is offered to some callers and not to others. */
export interface AccessControlled {
  /** For messages: `tool record`. */
  readonly label: string;
  readonly options: Pick<McpToolOptions, 'minPlan' | 'scopes' | 'visibility'>;
}

/** `'unknown'`: behave as if it did not exist. A text: tell the model why it may not. */
export type AccessDenial = 'unknown' | { readonly reason: string };

/** Why a caller may not use something; undefined when it may. One predicate for listing and for calling. */
export function checkAccess({ label, options }: AccessControlled, view: ToolView): AccessDenial | undefined {
  if (options.visibility === 'internal' && !view.scopes.includes('internal')) return 'unknown';
  if (!PlanGate.isAllowed(view.plan, options.minPlan)) {
    return deny(label, `needs the plan "${options.minPlan}", and this workspace has the plan "${view.plan}"`);
  }
  const scope = options.scopes.find(wanted => !view.scopes.includes(wanted));
  return scope === undefined ? undefined : deny(label, `needs an API key with the scope "${scope}"`);
}

/** Clients keep old lists after a change of plan or key, so a model reads this in the middle of its work. */
function deny(what: string, reason: string): AccessDenial {
  return { reason: `The ${what} ${reason}. Do not retry; tell the user.` };
}
