import { Injectable, Logger } from '@nestjs/common';
import { isPlan, PLANS } from '#domain/plans/tiers.js';
import { type McpPromptOptions, validatePrompt, type PromptResult } from '#sdk/prompt.js';
import { type McpResourceOptions, matchResourceUri, type ResourceResult } from '#sdk/resource.js';
import type { ToolOwner } from './tool-schema.js';
import { type Listable, ListingCache, checkAccess, type ToolView } from './tool-visibility.js';
import { type ToolHandler, createToolContext, logFailure, type CallChannel, type CallOrigin } from './call-context.js';
import { RPC, RpcError, toModelMessage, genericErrorMessage } from './mcp-responses.js';

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

const DEFAULT_MIME_TYPE = 'text/plain';

type ResourceCall = CallOrigin & CallChannel;

/** Registers all resources and prompts of this process. Listing and use check the same access rules, as for tools. */
@Injectable()
export class ResourceRegistry {
  private readonly logger = new Logger('mcp');
  private readonly resources = new ListingCache<RegisteredResource>();
  private readonly templates = new ListingCache<RegisteredResource>();
  private readonly prompts = new ListingCache<RegisteredPrompt>();

  /**
   * Registers a resource. An invalid one of the core throws; one of a plugin is skipped with a warning.
   * @returns whether it was registered.
   * @throws InvalidResourceError if the resource belongs to the core and is invalid.
   */
  addResource(options: McpResourceOptions, handler: ToolHandler, owner: ToolOwner): boolean {
    const isTemplate = String(options.uri).includes('{');
    return this.add(isTemplate ? this.templates : this.resources, options.uri, owner, () =>
      prepareResource(options, handler, owner),
    );
  }

  /** Registers a prompt, under the rules of {@link addResource}. */
  addPrompt(options: McpPromptOptions, handler: ToolHandler, owner: ToolOwner): boolean {
    return this.add(this.prompts, options.name, owner, () => preparePrompt(options, handler, owner));
  }

  /** Removes the resources and prompts of a plugin. */
  unregister(plugin: string): void {
    for (const cache of [this.resources, this.templates, this.prompts]) cache.removePlugin(plugin);
  }

  listResources(view: ToolView) {
    return this.resources.list(view);
  }

  listTemplates(view: ToolView) {
    return this.templates.list(view);
  }

  listPrompts(view: ToolView) {
    return this.prompts.list(view);
  }

  /**
   * Returns the result of `resources/read`; undefined if the caller can see no resource with this URI.
   * @throws RpcError if the caller may not use it or it fails.
   */
  async read(uri: string, call: ResourceCall): Promise<{ contents: object[] } | undefined> {
    const found = this.findResource(uri);
    if (!found || !canUse(found.resource, call)) return undefined;
    const { resource, params } = found;
    const result = await this.invoke<ResourceResult>(resource, { uri, params }, call);
    if (result === undefined || result === null) return undefined;
    const body = typeof result === 'string' ? { text: result } : result;
    return { contents: [{ uri, mimeType: resource.options.mimeType ?? DEFAULT_MIME_TYPE, ...body }] };
  }

  /**
   * Returns the result of `prompts/get`.
   * @throws RpcError if the prompt is unknown, its arguments are invalid, or it fails.
   */
  async getPrompt(name: string, args: Readonly<Record<string, unknown>> = {}, call: ResourceCall) {
    const prompt = this.prompts.get(name);
    if (!prompt || !canUse(prompt, call)) throw new RpcError(RPC.INVALID_PARAMS, `Unknown prompt: ${name}`);
    const faults = validatePrompt(prompt.options, args);
    if (faults.length > 0) throw new RpcError(RPC.INVALID_PARAMS, faults.join(' '));
    const result = await this.invoke<PromptResult>(prompt, args, call);
    const message = typeof result === 'string' ? [{ role: 'user', content: { type: 'text', text: result } }] : result;
    return { description: prompt.options.description, messages: [...message] };
  }

  private findResource(uri: string) {
    const resource = this.resources.get(uri);
    if (resource) return { resource, params: {} };
    for (const template of this.templates.all()) {
      const params = matchResourceUri(template.options.uri, uri);
      if (params) return { resource: template, params };
    }
    return undefined;
  }

  private async invoke<Result>(
    { label, handler }: RegisteredResource | RegisteredPrompt,
    input: object,
    call: ResourceCall,
  ): Promise<Result> {
    try {
      return (await handler(input as never, createToolContext(label, call))) as Result;
    } catch (error) {
      const message = toModelMessage(error);
      if (message !== undefined) throw new RpcError(RPC.SERVER, message);
      logFailure(label, call, error);
      throw new RpcError(RPC.INTERNAL, genericErrorMessage(label, true, call.requestId));
    }
  }

  private add<Item extends Listable>(
    cache: ListingCache<Item>,
    name: string,
    owner: ToolOwner,
    prepare: () => Item,
  ): boolean {
    try {
      const item = prepare();
      const existing = cache.get(name);
      if (existing) throw new InvalidResourceError(item.label, owner, [`${existing.owner.name} already uses its name`]);
      cache.set(name, item);
      return true;
    } catch (error) {
      if (owner.plugin === undefined || !(error instanceof InvalidResourceError)) throw error;
      this.logger.warn(`${error.message} It is skipped.`);
      return false;
    }
  }
}

/**
 * Returns false if the item must stay hidden from the caller.
 * @throws RpcError with the reason if the caller may know the item but not use it
 */
function canUse(item: Listable, { caller }: ResourceCall): boolean {
  const refusal = checkAccess(item, caller);
  if (refusal && refusal !== 'unknown') throw new RpcError(RPC.INVALID_PARAMS, refusal.reason);
  return refusal === undefined;
}
