import type { ToolContext } from '../context.js';
import type { PluginTool } from '../handlers.js';
import type { JsonObject } from '../json.js';
import type { PluginManifest } from '../manifest.js';
import type { ToolPlan } from '../tool.js';
import { includes } from './plan.js';
import { ArgumentsRefused, PlanRequired } from './refusals.js';
import { readBy } from './schemas.js';
import type { Stage } from './stage.js';

/** What a door of the harness works with. */
export interface Doorway {
  readonly manifest: PluginManifest;
  readonly stage: Stage;
  readonly plan: ToolPlan;
}

/** Calls a tool as the hub does: plan, arguments, handler, answer. */
export async function callTool(
  { manifest, stage, plan }: Doorway,
  tools: readonly PluginTool[],
  name: string,
  args: JsonObject,
  call: Partial<ToolContext>,
): Promise<unknown> {
  const tool = tools.find(one => one.name === name);
  if (!tool) throw new Error(`The plugin has no tool "${name}".`);
  const wanted = planOf(manifest, name);
  if (!includes(plan, wanted)) throw new PlanRequired(`The tool ${name}`, wanted, plan);
  const reading = readBy(tool.options.input, args);
  if ('problems' in reading) throw new ArgumentsRefused(`The tool ${name}`, reading.problems);
  const work = () => tool.call(reading.value, stage.context(call.signal), contextOf(stage, call));
  const isIdempotent = manifest.tools?.[name]?.idempotent === true;
  const returned: unknown = await (isIdempotent ? stage.twice(`The tool "${name}"`, work) : stage.once(work));
  const shaped = tool.options.output ? readBy(tool.options.output, returned) : { value: returned };
  if ('problems' in shaped)
    throw new Error(`What ${name} returns does not fit its output: ${shaped.problems.join('; ')}.`);
  return returned;
}

/** Names of the tools that a plan includes, sorted. */
export function visibleTools(manifest: PluginManifest, plan: ToolPlan, internal: boolean): string[] {
  const seen = Object.entries(manifest.tools ?? {}).filter(
    ([name, { visibility }]) => includes(plan, planOf(manifest, name)) && (internal || visibility === 'agent'),
  );
  return seen.map(([name]) => name).toSorted();
}

function planOf({ tools, minPlan }: PluginManifest, name: string): ToolPlan {
  return tools?.[name]?.minPlan ?? minPlan;
}

/** What a handler receives about its call. */
export function contextOf({ logs }: Stage, call: Partial<ToolContext>): ToolContext {
  return {
    signal: new AbortController().signal,
    progress: async () => undefined,
    log: (level, message, details) => {
      logs.push({ level: level === 'warning' ? 'warn' : level, message, ...(details && { details }) });
    },
    ...call,
  };
}
