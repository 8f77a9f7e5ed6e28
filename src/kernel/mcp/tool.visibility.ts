import type { Plan } from '#domain/plans/tiers.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { RegisteredTool } from './registered.tool.js';

/** All that decides which tools a caller has; a `Caller` is one that has no plugin enabled. */
export interface ToolView {
  readonly plan: Plan;
  readonly scopes: readonly string[];
  /** Ids of the plugins that are enabled in the caller's workspace. */
  readonly plugins?: readonly string[];
}

/** `'unknown'`: behave as if the tool did not exist. A text: tell the model why it may not. */
export type Refusal = 'unknown' | { readonly because: string };

/** Why a caller may not use a tool; undefined when it may. One predicate for listing and for calling. */
export function refusalOf({ options, owner }: RegisteredTool, view: ToolView): Refusal | undefined {
  if (options.visibility === 'internal' && !view.scopes.includes('internal')) return 'unknown';
  if (owner.plugin !== undefined && !view.plugins?.includes(owner.plugin)) {
    return refused(options.name, `belongs to the plugin "${owner.plugin}", which is not enabled in this workspace`);
  }
  if (!PlanGate.may(view.plan, options.minPlan)) {
    return refused(options.name, `needs the plan "${options.minPlan}", and this workspace has the plan "${view.plan}"`);
  }
  const scope = options.scopes.find(wanted => !view.scopes.includes(wanted));
  return scope === undefined ? undefined : refused(options.name, `needs an API key with the scope "${scope}"`);
}

/** Clients keep old lists after a change of plan or key, so a model reads this in the middle of its work. */
function refused(name: string, reason: string): Refusal {
  return { because: `The tool ${name} ${reason}. Do not retry; tell the user.` };
}
