import type { ToolContext } from '../tool-context.js';
import type { PluginTool } from '../handlers.js';
import type { JsonObject } from '../json.js';
import type { PluginManifest } from '../manifest.js';
import type { ToolPlan } from '../tool.js';
import { isPlanIncluded } from './plan.js';
import { InvalidArgumentsError, PlanRequiredError } from './test-errors.js';
import { parseWithSchema } from './schemas.js';
import type { TestEnvironment } from './test-environment.js';

/** What a door of the harness works with. */
export interface TestCallContext {
  readonly manifest: PluginManifest;
  readonly environment: TestEnvironment;
  readonly plan: ToolPlan;
}

/** Calls a tool as the hub does: plan, arguments, handler, answer. */
export async function callTool(
  { manifest, environment, plan }: TestCallContext,
  tools: readonly PluginTool[],
  name: string,
  args: JsonObject,
  call: Partial<ToolContext>,
): Promise<unknown> {
  const tool = tools.find(one => one.name === name);
  if (!tool) throw new Error(`The plugin has no tool "${name}".`);
  const wanted = findRequiredPlan(manifest, name);
  if (!isPlanIncluded(plan, wanted)) throw new PlanRequiredError(`The tool ${name}`, wanted, plan);
  const reading = parseWithSchema(tool.options.input, args);
  if ('problems' in reading) throw new InvalidArgumentsError(`The tool ${name}`, reading.problems);
  const work = () =>
    tool.call(reading.value, environment.context(call.signal), createTestToolContext(environment, call));
  const isIdempotent = manifest.tools?.[name]?.idempotent === true;
  const returned: unknown = await (isIdempotent
    ? environment.runTwice(`The tool "${name}"`, work)
    : environment.runOnce(work));
  const shaped = tool.options.output ? parseWithSchema(tool.options.output, returned) : { value: returned };
  if ('problems' in shaped)
    throw new Error(`What ${name} returns does not fit its output: ${shaped.problems.join('; ')}.`);
  return returned;
}

/** Names of the tools that a plan includes, sorted. */
export function visibleTools(manifest: PluginManifest, plan: ToolPlan, internal: boolean): string[] {
  const seen = Object.entries(manifest.tools ?? {}).filter(
    ([name, { visibility }]) =>
      isPlanIncluded(plan, findRequiredPlan(manifest, name)) && (internal || visibility === 'agent'),
  );
  return seen.map(([name]) => name).toSorted();
}

function findRequiredPlan({ tools, minPlan }: PluginManifest, name: string): ToolPlan {
  return tools?.[name]?.minPlan ?? minPlan;
}

/** What a handler receives about its call. */
export function createTestToolContext({ logs }: TestEnvironment, call: Partial<ToolContext>): ToolContext {
  return {
    signal: new AbortController().signal,
    progress: async () => undefined,
    log: (level, message, details) => {
      logs.push({ level: level === 'warning' ? 'warn' : level, message, ...(details && { details }) });
    },
    ...call,
  };
}
