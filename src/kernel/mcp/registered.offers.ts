import { isPlan, PLANS } from '#domain/plans/tiers.js';
import type { McpPromptOptions } from '#sdk/prompt.js';
import type { McpResourceOptions } from '#sdk/resource.js';
import type { ToolOwner } from './registered.tool.js';
import type { Shelved } from './shelf.js';
import type { ToolHandler } from './tool.context.js';

const NAME = /^[a-z][a-z0-9_-]{0,47}$/;
const URI = /^[a-z][a-z0-9.+-]*:\/\/[^\s{}]*(\{\w+\}[^\s{}]*)*$/;

/** A resource that passed every check. */
export interface RegisteredResource extends Shelved {
  readonly options: McpResourceOptions;
  readonly handler: ToolHandler;
}

/** A prompt that passed every check. */
export interface RegisteredPrompt extends Shelved {
  readonly options: McpPromptOptions;
  readonly handler: ToolHandler;
}

/** Why a resource or a prompt cannot be offered, in a sentence that names it and the mend. */
export class MalformedOffer extends Error {
  constructor(what: string, owner: ToolOwner, faults: readonly string[]) {
    super(`The MCP ${what} of ${owner.name} is malformed: ${faults.join('; ')}.`);
  }
}

/** Checks a resource and prepares its entry of a list. @throws MalformedOffer */
export function prepareResource(
  options: McpResourceOptions,
  handler: ToolHandler,
  owner: ToolOwner,
): RegisteredResource {
  const { uri, name, title, description, mimeType } = options;
  const what = `resource ${uri}`;
  refuse(what, owner, [...faultsOf(options), ...(URI.test(uri) ? [] : [`its uri must match ${URI.source}`])]);
  const address = uri.includes('{') ? { uriTemplate: uri } : { uri };
  const descriptor = Object.freeze({ ...address, name, title, description, ...(mimeType && { mimeType }) });
  return { what, options, owner, descriptor, handler };
}

/** Checks a prompt and prepares its entry of a list. @throws MalformedOffer */
export function preparePrompt(options: McpPromptOptions, handler: ToolHandler, owner: ToolOwner): RegisteredPrompt {
  const { name, title, description, arguments: blanks = [] } = options;
  const what = `prompt ${name}`;
  const isGood = blanks.every(blank => isText(blank.name) && isText(blank.description));
  refuse(what, owner, [...faultsOf(options), ...(isGood ? [] : ['each argument needs a name and a description'])]);
  const descriptor = Object.freeze({ name, title, description, arguments: blanks });
  return { what, options, owner, descriptor, handler };
}

function faultsOf({ name, title, description, scopes, minPlan = 'starter' }: McpResourceOptions | McpPromptOptions) {
  const rules: [holds: boolean, fault: string][] = [
    [NAME.test(name), `its name must match ${NAME.source}`],
    [isText(title), 'it needs a title'],
    [isText(description), 'it needs a description'],
    [Array.isArray(scopes), 'it must list the scopes it needs (an empty list for none)'],
    [isPlan(minPlan), `its minPlan must be one of ${PLANS.join(', ')}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function refuse(what: string, owner: ToolOwner, faults: readonly string[]): void {
  if (faults.length > 0) throw new MalformedOffer(what, owner, faults);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
