import type { ToolContext, ToolPlan } from '../tool.js';
import type { PluginTool, PluginPrompt, PluginResource } from '../handlers.js';
import type { JsonObject } from '../schema.js';
import type { PluginManifest } from '../manifest/manifest.js';
import { isPlanIncluded } from './plan.js';
import { InvalidArgumentsError, NotConnectedError, PlanRequiredError } from './test-errors.js';
import { parseWithSchema } from './schemas.js';
import type { TestEnvironment } from './test-environment.js';
import { validatePrompt, type PromptMessage } from '../prompt.js';
import { matchResourceUri, type ResourceResult } from '../resource.js';

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
  if (environment.isDisconnected) throw new NotConnectedError(`The tool ${name}`);
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

/** Reads a resource as the hub does, twice. Returns undefined if no resource matches the URI. */
export async function readResource(
  context: TestCallContext,
  resources: readonly PluginResource[],
  uri: string,
): Promise<Exclude<ResourceResult, string>> {
  for (const resource of resources) {
    const params = matchResourceUri(resource.options.uri, uri);
    if (!params) continue;
    const declared = context.manifest.resources?.[resource.name]?.minPlan;
    const result = await callHandler<ResourceResult>(context, resource, `The resource ${resource.name}`, declared, {
      uri,
      params,
    });
    return typeof result === 'string' ? { text: result } : result;
  }
  return undefined;
}

/** Renders the messages of a prompt as the hub does, twice. */
export async function getPrompt(
  context: TestCallContext,
  prompts: readonly PluginPrompt[],
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<readonly PromptMessage[]> {
  const prompt = prompts.find(candidate => candidate.name === name);
  if (!prompt) throw new Error(`The plugin has no prompt "${name}".`);
  const faults = validatePrompt(prompt.options, args);
  if (faults.length > 0) throw new InvalidArgumentsError(`The prompt ${name}`, faults);
  const declared = context.manifest.prompts?.[name]?.minPlan;
  const result = await callHandler<string | readonly PromptMessage[]>(
    context,
    prompt,
    `The prompt ${name}`,
    declared,
    args,
  );
  return typeof result === 'string' ? [{ role: 'user', content: { type: 'text', text: result } }] : result;
}

/** Calls the handler twice: resources and prompts are read-only, so no call may change anything. */
async function callHandler<Answer>(
  { manifest, environment, plan }: TestCallContext,
  { call }: PluginResource | PluginPrompt,
  what: string,
  minPlan: ToolPlan = manifest.minPlan,
  input: object,
): Promise<Answer> {
  if (!isPlanIncluded(plan, minPlan)) throw new PlanRequiredError(what, minPlan, plan);
  if (environment.isDisconnected) throw new NotConnectedError(what);
  return (await environment.runTwice(what, () =>
    call(input, environment.context(), createTestToolContext(environment, {})),
  )) as Answer;
}
