import type { ToolContext } from '../tool-context.js';
import type { PluginTool } from '../handlers.js';
import type { JsonObject } from '../json.js';
import type { PluginManifest } from '../manifest.js';
import type { ToolPlan } from '../tool.js';
import { isPlanIncluded } from './plan.js';
import { InvalidArgumentsError, PlanRequiredError } from './test-errors.js';
import { parseWithSchema } from './schemas.js';
import type { TestEnvironment } from './test-environment.js';

/** Context of the calls that the harness makes. */
export interface TestCallContext {
  readonly manifest: PluginManifest;
  readonly environment: TestEnvironment;
  readonly plan: ToolPlan;
}

/** Calls a tool as the hub does: checks plan and arguments, calls the handler and validates its result. */
export async function callTool(
  { manifest, environment, plan }: TestCallContext,
  tools: readonly PluginTool[],
  name: string,
  args: JsonObject,
  call: Partial<ToolContext>,
): Promise<unknown> {
  const tool = tools.find(candidate => candidate.name === name);
  if (!tool) throw new Error(`The plugin has no tool "${name}".`);
  const required = findRequiredPlan(manifest, name);
  if (!isPlanIncluded(plan, required)) throw new PlanRequiredError(`The tool ${name}`, required, plan);
  const parsed = parseWithSchema(tool.options.input, args);
  if ('problems' in parsed) throw new InvalidArgumentsError(`The tool ${name}`, parsed.problems);
  const work = () =>
    tool.call(parsed.value, environment.context(call.signal), createTestToolContext(environment, call));
  const isIdempotent = manifest.tools?.[name]?.idempotent === true;
  const returned: unknown = await (isIdempotent
    ? environment.runTwice(`The tool "${name}"`, work)
    : environment.runOnce(work));
  const output = tool.options.output ? parseWithSchema(tool.options.output, returned) : { value: returned };
  if ('problems' in output)
    throw new Error(`What ${name} returns does not fit its output: ${output.problems.join('; ')}.`);
  return returned;
}

/** Returns the names of the tools that a plan includes, sorted. */
export function visibleTools(manifest: PluginManifest, plan: ToolPlan, internal: boolean): string[] {
  const visible = Object.entries(manifest.tools ?? {}).filter(
    ([name, { visibility }]) =>
      isPlanIncluded(plan, findRequiredPlan(manifest, name)) && (internal || visibility === 'agent'),
  );
  return visible.map(([name]) => name).toSorted();
}

function findRequiredPlan({ tools, minPlan }: PluginManifest, name: string): ToolPlan {
  return tools?.[name]?.minPlan ?? minPlan;
}

/** Creates the tool context that a handler receives. */
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
