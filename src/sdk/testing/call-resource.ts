import type { PluginPrompt, PluginResource } from '../handlers.js';
import { validatePrompt, type PromptMessage } from '../prompt.js';
import { matchResourceUri, type ResourceResult } from '../resource.js';
import type { ToolPlan } from '../tool.js';
import { createTestToolContext, type TestCallContext } from './call-tool.js';
import { isPlanIncluded } from './plan.js';
import { InvalidArgumentsError, PlanRequiredError } from './test-errors.js';

/** Reads a resource as the hub does, twice; undefined when nothing has this address. */
export async function readResource(
  doorway: TestCallContext,
  resources: readonly PluginResource[],
  uri: string,
): Promise<Exclude<ResourceResult, string>> {
  for (const resource of resources) {
    const params = matchResourceUri(resource.options.uri, uri);
    if (!params) continue;
    const declared = doorway.manifest.resources?.[resource.name]?.minPlan;
    const answer = await callHandler<ResourceResult>(doorway, resource, `The resource ${resource.name}`, declared, {
      uri,
      params,
    });
    return typeof answer === 'string' ? { text: answer } : answer;
  }
  return undefined;
}

/** Makes the messages of a prompt as the hub does, twice. */
export async function getPrompt(
  doorway: TestCallContext,
  prompts: readonly PluginPrompt[],
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<readonly PromptMessage[]> {
  const prompt = prompts.find(one => one.name === name);
  if (!prompt) throw new Error(`The plugin has no prompt "${name}".`);
  const faults = validatePrompt(prompt.options, args);
  if (faults.length > 0) throw new InvalidArgumentsError(`The prompt ${name}`, faults);
  const declared = doorway.manifest.prompts?.[name]?.minPlan;
  const answer = await callHandler<string | readonly PromptMessage[]>(
    doorway,
    prompt,
    `The prompt ${name}`,
    declared,
    args,
  );
  return typeof answer === 'string' ? [{ role: 'user', content: { type: 'text', text: answer } }] : answer;
}

/** Both only read, so that a second time must leave nothing behind. */
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
