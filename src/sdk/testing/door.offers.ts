import type { PluginPrompt, PluginResource } from '../handlers.js';
import { promptFaults, type PromptMessage } from '../prompt.js';
import { resourceParams, type ResourceAnswer } from '../resource.js';
import type { ToolPlan } from '../tool.js';
import { contextOf, type Doorway } from './door.tools.js';
import { includes } from './plan.js';
import { ArgumentsRefused, PlanRequired } from './refusals.js';

/** Reads a resource as the hub does, twice; undefined when nothing has this address. */
export async function readResource(
  doorway: Doorway,
  resources: readonly PluginResource[],
  uri: string,
): Promise<Exclude<ResourceAnswer, string>> {
  for (const resource of resources) {
    const params = resourceParams(resource.options.uri, uri);
    if (!params) continue;
    const declared = doorway.manifest.resources?.[resource.name]?.minPlan;
    const answer = await use<ResourceAnswer>(doorway, resource, `The resource ${resource.name}`, declared, {
      uri,
      params,
    });
    return typeof answer === 'string' ? { text: answer } : answer;
  }
  return undefined;
}

/** Makes the messages of a prompt as the hub does, twice. */
export async function getPrompt(
  doorway: Doorway,
  prompts: readonly PluginPrompt[],
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<readonly PromptMessage[]> {
  const prompt = prompts.find(one => one.name === name);
  if (!prompt) throw new Error(`The plugin has no prompt "${name}".`);
  const faults = promptFaults(prompt.options, args);
  if (faults.length > 0) throw new ArgumentsRefused(`The prompt ${name}`, faults);
  const declared = doorway.manifest.prompts?.[name]?.minPlan;
  const answer = await use<string | readonly PromptMessage[]>(doorway, prompt, `The prompt ${name}`, declared, args);
  return typeof answer === 'string' ? [{ role: 'user', content: { type: 'text', text: answer } }] : answer;
}

/** Both only read, so that a second time must leave nothing behind. */
async function use<Answer>(
  { manifest, stage, plan }: Doorway,
  { call }: PluginResource | PluginPrompt,
  what: string,
  minPlan: ToolPlan = manifest.minPlan,
  input: object,
): Promise<Answer> {
  if (!includes(plan, minPlan)) throw new PlanRequired(what, minPlan, plan);
  return (await stage.twice(what, () => call(input, stage.context(), contextOf(stage, {})))) as Answer;
}
