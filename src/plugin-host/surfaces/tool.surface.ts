import { Injectable } from '@nestjs/common';
import { type Plan, PLANS } from '#domain/plans/tiers.js';
import type { PluginHandler, PluginTool } from '#sdk/handlers.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { ResourceRegistry } from '#kernel/mcp/resource.registry.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { type PluginAvailability, VisibleListsService } from '#kernel/mcp/visible-lists.service.js';
import { withDeadline } from '../container/deadline.js';
import { DeliveryContextFactory, requiresConnection } from '../context/delivery-context.factory.js';
import type { ReadyPlugin } from '../host/plugin.registry.js';
import { addConnectionArgument } from './tool-connection.js';
import type { PluginSurface } from './plugin-surface.js';

/** How long a call of a plugin may take, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;
/** How long a call of a tool declared `longRunning` may take, in milliseconds. */
const LONG_CALL_TIMEOUT_MS = 300_000;

/**
 * Registers the tools, resources and prompts of plugins for MCP. The registries check plans and scopes, as for those of
 * the hub. Lists leave out what needs a connection that the workspace does not have.
 */
@Injectable()
export class ToolSurface implements PluginSurface, PluginAvailability {
  /** IDs of the open plugins that serve a workspace only while it has a connection to them. */
  private readonly pluginsWithConnection = new Set<string>();

  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
    private readonly contexts: DeliveryContextFactory,
    lists: VisibleListsService,
  ) {
    lists.useAvailability(this);
  }

  /** Registers everything that the plugin declares. The registries skip malformed entries with a warning. */
  open(plugin: ReadyPlugin): void {
    const { manifest, container } = plugin;
    const { tools, resources, prompts } = container.handlers;
    if (requiresConnection(plugin) && [tools, resources, prompts].some(({ length }) => length > 0))
      this.pluginsWithConnection.add(plugin.id);
    for (const tool of tools) {
      const minPlan = highestPlan(manifest.minPlan, manifest.tools?.[tool.name]?.minPlan, tool.options.minPlan);
      const timeoutMs = tool.options.longRunning ? LONG_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS;
      this.registerTool(plugin, tool, { ...tool.options, minPlan }, timeoutMs);
    }
    for (const resource of resources) {
      const { options, name } = resource;
      const minPlan = highestPlan(manifest.minPlan, manifest.resources?.[name]?.minPlan, options.minPlan);
      this.resources.addResource({ ...options, minPlan }, this.toHandler(plugin, resource), toOwner(plugin, resource));
    }
    for (const prompt of prompts) {
      const { options, name } = prompt;
      const minPlan = highestPlan(manifest.minPlan, manifest.prompts?.[name]?.minPlan, options.minPlan);
      this.resources.addPrompt({ ...options, minPlan }, this.toHandler(plugin, prompt), toOwner(plugin, prompt));
    }
  }

  close(id: string): void {
    this.pluginsWithConnection.delete(id);
    this.tools.unregister(id);
    this.resources.unregister(id);
  }

  async findUnavailable(workspaceId: string): Promise<ReadonlySet<string>> {
    if (this.pluginsWithConnection.size === 0) return new Set();
    const connected = await this.contexts.findConnectedPlugins(workspaceId);
    return this.pluginsWithConnection.difference(connected);
  }

  private registerTool(plugin: ReadyPlugin, tool: PluginTool, options: McpToolOptions, timeoutMs: number): void {
    const handle = this.toHandler(plugin, tool, timeoutMs);
    const extended = plugin.manifest.multipleConnections ? addConnectionArgument(options) : undefined;
    const handleSplit = (args: never, context: CoreToolContext) => {
      const { connectionId, input } = extended!.split(args);
      return handle(input as never, context, connectionId);
    };
    this.tools.register(extended?.options ?? options, extended ? handleSplit : handle, toOwner(plugin, tool));
  }

  /** Wraps a handler of a plugin. The plugin receives the input and the hub context, but not the caller. */
  private toHandler(plugin: ReadyPlugin, handler: PluginHandler, timeoutMs = CALL_TIMEOUT_MS) {
    return (
      input: never,
      { caller, signal: parentSignal, progress, log }: CoreToolContext,
      connectionId?: string,
    ): Promise<unknown> =>
      withDeadline({ timeoutMs, parentSignal }, async signal => {
        const scope = { workspaceId: caller.workspaceId, plugin, connectionId, signal };
        const hub = await this.contexts.createForCall(scope);
        return plugin.container.call(handler, input, hub, { signal, progress, log });
      });
  }
}

function toOwner({ id }: ReadyPlugin, { where }: PluginHandler): { readonly name: string; readonly plugin: string } {
  return { name: where, plugin: id };
}

function highestPlan(...plans: readonly (Plan | undefined)[]): Plan {
  return PLANS[Math.max(...plans.map(plan => (plan ? PLANS.indexOf(plan) : 0)))] ?? PLANS[0];
}
