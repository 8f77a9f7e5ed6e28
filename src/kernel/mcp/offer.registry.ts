import { Injectable, Logger } from '@nestjs/common';
import { promptFaults, type McpPromptOptions, type PromptAnswer } from '#sdk/prompt.js';
import { resourceParams, type McpResourceOptions, type ResourceAnswer } from '#sdk/resource.js';
import { contextOf, reportFailure } from './call.context.js';
import { RPC, RpcError } from './mcp.errors.js';
import {
  MalformedOffer,
  preparePrompt,
  prepareResource,
  type RegisteredPrompt,
  type RegisteredResource,
} from './registered.offers.js';
import type { ToolOwner } from './registered.tool.js';
import { Shelf, type Shelved } from './shelf.js';
import type { CallLink, CallOrigin, ToolHandler } from './tool.context.js';
import { explain, fixedSentence } from './tool.failure.js';
import { refusalOf, type ToolView } from './tool.visibility.js';

const DEFAULT_TYPE = 'text/plain';

type Call = CallOrigin & CallLink;

/** All resources and prompts of this process, under the same rules as tools: one predicate for listing and for using. */
@Injectable()
export class OfferRegistry {
  private readonly logger = new Logger('mcp');
  private readonly resources = new Shelf<RegisteredResource>();
  private readonly templates = new Shelf<RegisteredResource>();
  private readonly prompts = new Shelf<RegisteredPrompt>();

  /** As `ToolRegistry.register`: what is malformed stops the boot, and of a plugin it is left out. */
  addResource(options: McpResourceOptions, handler: ToolHandler, owner: ToolOwner): boolean {
    const isTemplate = String(options.uri).includes('{');
    return this.add(isTemplate ? this.templates : this.resources, options.uri, owner, () =>
      prepareResource(options, handler, owner),
    );
  }

  /** As `ToolRegistry.register`. */
  addPrompt(options: McpPromptOptions, handler: ToolHandler, owner: ToolOwner): boolean {
    return this.add(this.prompts, options.name, owner, () => preparePrompt(options, handler, owner));
  }

  /** Takes away what a plugin has offered. */
  unregister(plugin: string): void {
    for (const shelf of [this.resources, this.templates, this.prompts]) shelf.removeOf(plugin);
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

  /** What `resources/read` answers; undefined when, for this caller, nothing has that address. @throws RpcError */
  async read(uri: string, call: Call): Promise<{ contents: object[] } | undefined> {
    const found = this.resourceAt(uri);
    if (!found || !mayUse(found.resource, call)) return undefined;
    const { resource, params } = found;
    const answer = await this.use<ResourceAnswer>(resource, { uri, params }, call);
    if (answer === undefined || answer === null) return undefined;
    const body = typeof answer === 'string' ? { text: answer } : answer;
    return { contents: [{ uri, mimeType: resource.options.mimeType ?? DEFAULT_TYPE, ...body }] };
  }

  /** What `prompts/get` answers. @throws RpcError */
  async prompt(name: string, args: Readonly<Record<string, unknown>> = {}, call: Call) {
    const prompt = this.prompts.get(name);
    if (!prompt || !mayUse(prompt, call)) throw new RpcError(RPC.INVALID_PARAMS, `Unknown prompt: ${name}`);
    const faults = promptFaults(prompt.options, args);
    if (faults.length > 0) throw new RpcError(RPC.INVALID_PARAMS, faults.join(' '));
    const answer = await this.use<PromptAnswer>(prompt, args, call);
    const said = typeof answer === 'string' ? [{ role: 'user', content: { type: 'text', text: answer } }] : answer;
    return { description: prompt.options.description, messages: [...said] };
  }

  private resourceAt(uri: string) {
    const resource = this.resources.get(uri);
    if (resource) return { resource, params: {} };
    for (const template of this.templates.all()) {
      const params = resourceParams(template.options.uri, uri);
      if (params) return { resource: template, params };
    }
    return undefined;
  }

  private async use<Answer>(
    { what, handler }: RegisteredResource | RegisteredPrompt,
    input: object,
    call: Call,
  ): Promise<Answer> {
    try {
      return (await handler(input as never, contextOf(what, call))) as Answer;
    } catch (error) {
      const said = explain(error);
      if (said !== undefined) throw new RpcError(RPC.SERVER, said);
      reportFailure(what, call, error);
      throw new RpcError(RPC.INTERNAL, fixedSentence(what, true, call.requestId));
    }
  }

  private add<Item extends Shelved>(shelf: Shelf<Item>, name: string, owner: ToolOwner, prepare: () => Item): boolean {
    try {
      const item = prepare();
      const rival = shelf.get(name);
      if (rival) throw new MalformedOffer(item.what, owner, [`${rival.owner.name} has already taken its name`]);
      shelf.set(name, item);
      return true;
    } catch (error) {
      if (owner.plugin === undefined || !(error instanceof MalformedOffer)) throw error;
      this.logger.warn(`${error.message} It is left out.`);
      return false;
    }
  }
}

/** False for what the caller must not know of. @throws RpcError that says why the caller may not */
function mayUse(item: Shelved, { caller }: Call): boolean {
  const refusal = refusalOf(item, caller);
  if (refusal && refusal !== 'unknown') throw new RpcError(RPC.INVALID_PARAMS, refusal.because);
  return refusal === undefined;
}
