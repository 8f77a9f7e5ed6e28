import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { MCP_TOOL_METADATA } from '#sdk/decorators.js';
import type { McpToolOptions } from '#sdk/tool.js';
import type { ToolHandler } from './tool.context.js';
import { ToolRegistry } from './tool.registry.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Methods = Record<string, ToolHandler>;

/** Finds every `@McpTool` of the container once its providers exist, and registers it. */
@Injectable()
export class ToolDiscovery implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly registry: ToolRegistry,
  ) {}

  /** Throws when a tool is malformed, named twice, or sits on a provider that has no single instance. */
  onApplicationBootstrap(): void {
    const seen = new Set<object>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const prototype = prototypeOf(wrapper);
      if (!prototype || seen.has(wrapper.instance ?? prototype)) continue;
      seen.add(wrapper.instance ?? prototype);
      this.registerToolsOf(wrapper, prototype);
    }
  }

  private registerToolsOf(wrapper: Wrapper, prototype: Methods): void {
    for (const method of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[method];
      const options: McpToolOptions | undefined = handler && Reflect.getMetadata(MCP_TOOL_METADATA, handler);
      if (!handler || !options) continue;
      const provider = prototype.constructor.name;
      const owner = { name: `${provider}.${method}` };
      if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient) {
        throw new Error(
          `The MCP tool "${options.name}" is declared by ${owner.name}, but ${provider} is not a ` +
            'singleton, so there is no instance to call. Give it the default scope.',
        );
      }
      this.registry.register(options, handler.bind(wrapper.instance) as ToolHandler, owner);
    }
  }
}

/** Of the instance, or of the class when a request-scoped provider has no instance yet. */
function prototypeOf({ instance, metatype }: Wrapper): Methods | undefined {
  if (typeof instance === 'object' && instance !== null) return Object.getPrototypeOf(instance) as Methods;
  return (metatype as { prototype?: Methods } | null)?.prototype;
}
