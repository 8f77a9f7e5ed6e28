import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { metadataKeys } from '#sdk/metadata-keys.js';
import { ResourceRegistry } from './resource.registry.js';
import type { ToolOwner } from './registered-tool.js';
import type { ToolHandler } from './tool-context.js';
import { ToolRegistry } from './tool.registry.js';

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
