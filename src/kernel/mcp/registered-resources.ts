import { isPlan, PLANS } from '#domain/plans/tiers.js';
import type { McpPromptOptions } from '#sdk/prompt.js';
import type { McpResourceOptions } from '#sdk/resource.js';
import type { ToolOwner } from './registered-tool.js';
import type { Listable } from './listing-cache.js';
import type { ToolHandler } from './tool-context.js';

const NAME = /^[a-z][a-z0-9_-]{0,47}$/;
const URI = /^[a-z][a-z0-9.+-]*:\/\/[^\s{}]*(\{\w+\}[^\s{}]*)*$/;

/** A validated resource. */
export interface RegisteredResource extends Listable {
  readonly options: McpResourceOptions;
  readonly handler: ToolHandler;
}

/** A validated prompt. */
export interface RegisteredPrompt extends Listable {
  readonly options: McpPromptOptions;
  readonly handler: ToolHandler;
}

/** Thrown if a resource or prompt is invalid; the message names it and the fix. */
export class InvalidResourceError extends Error {
  constructor(what: string, owner: ToolOwner, faults: readonly string[]) {
    super(`The MCP ${what} of ${owner.name} is invalid: ${faults.join('; ')}.`);
  }
}

/**
 * Validates a resource and builds its list entry.
 * @throws InvalidResourceError if the declaration is invalid.
 */
export function prepareResource(
  options: McpResourceOptions,
  handler: ToolHandler,
  owner: ToolOwner,
): RegisteredResource {
  const { uri, name, title, description, mimeType } = options;
  const label = `resource ${uri}`;
  throwIfInvalid(label, owner, [
    ...findFaults(options),
    ...(URI.test(uri) ? [] : [`its uri must match ${URI.source}`]),
  ]);
  const address = uri.includes('{') ? { uriTemplate: uri } : { uri };
  const descriptor = Object.freeze({ ...address, name, title, description, ...(mimeType && { mimeType }) });
  return { label, options, owner, descriptor, handler };
}

/**
 * Validates a prompt and builds its list entry.
 * @throws InvalidResourceError if the declaration is invalid.
 */
export function preparePrompt(options: McpPromptOptions, handler: ToolHandler, owner: ToolOwner): RegisteredPrompt {
  const { name, title, description, arguments: args = [] } = options;
  const label = `prompt ${name}`;
  const areArgumentsValid = args.every(arg => isNonBlankText(arg.name) && isNonBlankText(arg.description));
  throwIfInvalid(label, owner, [
    ...findFaults(options),
    ...(areArgumentsValid ? [] : ['each argument needs a name and a description']),
  ]);
  const descriptor = Object.freeze({ name, title, description, arguments: args });
  return { label, options, owner, descriptor, handler };
}

function findFaults({ name, title, description, scopes, minPlan = 'starter' }: McpResourceOptions | McpPromptOptions) {
  const rules: [holds: boolean, fault: string][] = [
    [NAME.test(name), `its name must match ${NAME.source}`],
    [isNonBlankText(title), 'it needs a title'],
    [isNonBlankText(description), 'it needs a description'],
    [Array.isArray(scopes), 'it must list the scopes it needs (an empty list for none)'],
    [isPlan(minPlan), `its minPlan must be one of ${PLANS.join(', ')}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function throwIfInvalid(what: string, owner: ToolOwner, faults: readonly string[]): void {
  if (faults.length > 0) throw new InvalidResourceError(what, owner, faults);
}

function isNonBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
