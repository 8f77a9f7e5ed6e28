import type { PluginPrompt, PluginResource } from '../handlers.js';
import { validatePrompt, type PromptMessage } from '../prompt.js';
import { matchResourceUri, type ResourceResult } from '../resource.js';
import type { ToolPlan } from '../tool.js';
import { createTestToolContext, type TestCallContext } from './call-tool.js';
import { isPlanIncluded } from './plan.js';
import { InvalidArgumentsError, PlanRequiredError } from './test-errors.js';

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
  return (await environment.runTwice(what, () =>
    call(input, environment.context(), createTestToolContext(environment, {})),
  )) as Answer;
}
