import { Injectable } from '@nestjs/common';
import { type Plan, PLANS } from '#domain/plans/tiers.js';
import type { PluginTool } from '#sdk/handlers.js';
import type { CoreToolContext } from '#kernel/mcp/tool.context.js';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { limited } from '../cell/limit.js';
import { DeliveryContexts } from '../delivery-contexts.js';
import type { ReadyPlugin } from '../plugin-catalogue.js';
import type { PluginDoor } from '../plugin-door.js';

/** How long a tool of a plugin may take, in milliseconds, and one that has said that it takes long. */
const CALL_MS = 60_000;
const LONG_CALL_MS = 300_000;

/** Offers the tools of plugins to agents. The registry decides who may, as for the tools of the hub. */
@Injectable()
export class ToolsDoor implements PluginDoor {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly contexts: DeliveryContexts,
  ) {}

  /** A malformed tool is left out with one warning; the plugin and its other tools live. */
  open(plugin: ReadyPlugin): void {
    for (const tool of plugin.cell.handlers.tools) {
      const declared = plugin.manifest.tools?.[tool.name];
      const minPlan = highest(plugin.manifest.minPlan, declared?.minPlan, tool.options.minPlan);
      const handler = (input: never, context: CoreToolContext) => this.call(plugin, tool, input, context);
      this.registry.register({ ...tool.options, minPlan }, handler, { name: tool.where, plugin: plugin.id });
    }
  }

  close(id: string): void {
    this.registry.unregister(id);
  }

  /** The plugin learns what was asked and how to answer, not who asks. */
  private call(plugin: ReadyPlugin, tool: PluginTool, input: unknown, context: CoreToolContext): Promise<unknown> {
    const { caller, signal: outer, progress, log } = context;
    const timeoutMs = tool.options.longRunning ? LONG_CALL_MS : CALL_MS;
    return limited({ timeoutMs, outer }, async signal => {
      const hub = await this.contexts.forCall({ workspaceId: caller.workspaceId, plugin, signal });
      return plugin.cell.call(tool, input, hub, { signal, progress, log });
    });
  }
}

function highest(...plans: readonly (Plan | undefined)[]): Plan {
  return PLANS[Math.max(...plans.map(plan => (plan ? PLANS.indexOf(plan) : 0)))] ?? PLANS[0];
}
