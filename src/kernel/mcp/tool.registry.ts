import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { McpToolOptions } from '#sdk/tool.js';
import { metadataKeys } from '#sdk/metadata-keys.js';
import {
  InvalidToolError,
  prepareTool,
  type RegisteredTool,
  type ToolDescriptor,
  type ToolOwner,
} from './tool-schema.js';
import { createToolContext, logFailure, type CallChannel, type CallOrigin, type ToolHandler } from './call-context.js';
import { ListingCache, explainExclusion, type ToolFilter, checkAccess, type ToolView } from './tool-visibility.js';
import {
  toModelMessage,
  formatArgumentProblems,
  genericErrorMessage,
  toErrorResult,
  toToolResult,
  type ToolResult,
} from './mcp-responses.js';
import { ResourceRegistry } from './resource.registry.js';

/**
 * Registers all tools of this process. Both protocol handlers list and call tools through it, and only it checks
 * access.
 */
@Injectable()
export class ToolRegistry {
  private readonly logger = new Logger('mcp');
  private readonly tools = new ListingCache<RegisteredTool>();

  /**
   * Registers a tool. An invalid or duplicate tool of the core throws, which stops the start; one of a plugin is
   * skipped with a warning, so that the other tools work.
   * @returns whether it was registered.
   * @throws InvalidToolError if the tool belongs to the core and is invalid.
   */
  register(options: McpToolOptions, handler: ToolHandler, owner: ToolOwner): boolean {
    try {
      const tool = prepareTool(options, handler, owner);
      const existing = this.tools.get(options.name);
      if (existing) throw new InvalidToolError(options, owner, [`${existing.owner.name} already uses its name`]);
      this.tools.set(options.name, tool);
      return true;
    } catch (error) {
      if (owner.plugin === undefined || !(error instanceof InvalidToolError)) throw error;
      this.logger.warn(`${error.message} It is skipped.`);
      return false;
    }
  }

  /** Removes the tools of a plugin; calls in flight finish. */
  unregister(plugin: string): void {
    this.tools.removePlugin(plugin);
  }

  /**
   * Lists the tools that a caller can see, sorted by name. Depends only on plan, scopes, the plugins that run and can
   * be used, and the client's own selection.
   */
  list(view: ToolView, filter?: ToolFilter): readonly ToolDescriptor[] {
    const all: readonly ToolDescriptor[] = this.tools.list(view);
    return filter
      ? all.filter(({ name }) => explainExclusion(filter, this.tools.get(name)!.options) === undefined)
      : all;
  }

  /** Returns whether a tool is declared as long-running; false for an unknown name. */
  isLongRunning(name: unknown): boolean {
    return typeof name === 'string' && this.tools.get(name)?.options.longRunning === true;
  }

  /**
   * Calls a tool. Never throws: every failure is a result that the model can act on. Returns undefined if the caller
   * can see no tool of that name.
   */
  async call(name: string, args: unknown, call: CallOrigin & CallChannel): Promise<ToolResult | undefined> {
    const tool = this.tools.get(name);
    const refusal = tool && checkAccess(tool, call.caller);
    if (!tool || refusal === 'unknown') return undefined;
    if (refusal) return toErrorResult(refusal.reason);
    const exclusion = explainExclusion(call.toolFilter, tool.options);
    if (exclusion) return toErrorResult(exclusion);
    try {
      const parsed = tool.parseArguments(args ?? {});
      if ('problems' in parsed) return toErrorResult(formatArgumentProblems(name, parsed.problems));
      const returned = await tool.handler(parsed.value as never, createToolContext(tool.label, call));
      return toToolResult(tool.options, returned);
    } catch (error) {
      return toErrorResult(toModelMessage(error) ?? this.logAndExplain(tool, call, error));
    }
  }

  private logAndExplain({ options, label }: RegisteredTool, call: CallOrigin & CallChannel, error: unknown): string {
    logFailure(label, call, error);
    const { readOnlyHint, idempotentHint } = options.annotations;
    return genericErrorMessage(label, readOnlyHint || idempotentHint, call.requestId);
  }
}

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Methods = Record<string, ToolHandler>;

/**
 * Discovers every `@McpTool`, `@McpResource` and `@McpPrompt` of the container after its providers exist, and
 * registers it.
 */
@Injectable()
export class ToolDiscovery implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly registry: ToolRegistry,
    private readonly resources: ResourceRegistry,
  ) {}

  /** Throws if one is invalid, has a duplicate name, or belongs to a provider without a single instance. */
  onApplicationBootstrap(): void {
    const seen = new Set<object>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const prototype = prototypeOf(wrapper);
      if (!prototype || seen.has(wrapper.instance ?? prototype)) continue;
      seen.add(wrapper.instance ?? prototype);
      this.registerProvider(wrapper, prototype);
    }
  }

  private registerProvider(wrapper: Wrapper, prototype: Methods): void {
    const provider = prototype.constructor.name;
    for (const method of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[method];
      if (!handler) continue;
      for (const [kind, register] of Object.entries(this.registrars)) {
        const options: unknown = Reflect.getMetadata(metadataKeys[kind as keyof typeof this.registrars], handler);
        if (!options) continue;
        const owner = { name: `${provider}.${method}` };
        assertSingleton(wrapper, kind, owner);
        register(options as never, handler.bind(wrapper.instance) as ToolHandler, owner);
      }
    }
  }

  private readonly registrars = {
    tool: (...declared: Parameters<ToolRegistry['register']>) => this.registry.register(...declared),
    resource: (...declared: Parameters<ResourceRegistry['addResource']>) => this.resources.addResource(...declared),
    prompt: (...declared: Parameters<ResourceRegistry['addPrompt']>) => this.resources.addPrompt(...declared),
  };
}

function assertSingleton(wrapper: Wrapper, kind: string, { name }: ToolOwner): void {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) return;
  const [provider] = name.split('.');
  throw new Error(
    `An MCP ${kind} is declared by ${name}, but ${provider} is not a singleton, so there is no instance to call. ` +
      'Give it the default scope.',
  );
}

/** Returns the prototype of the instance, or of the class if a request-scoped provider has no instance yet. */
function prototypeOf({ instance, metatype }: Wrapper): Methods | undefined {
  if (typeof instance === 'object' && instance !== null) return Object.getPrototypeOf(instance) as Methods;
  return (metatype as { prototype?: Methods } | null)?.prototype;
}
