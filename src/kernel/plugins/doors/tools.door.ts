import { Injectable } from '@nestjs/common';
import { type Plan, PLANS } from '#domain/plans/tiers.js';
import type { PluginHandler } from '#sdk/handlers.js';
import { OfferRegistry } from '#kernel/mcp/offer.registry.js';
import type { CoreToolContext } from '#kernel/mcp/tool.context.js';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { limited } from '../cell/limit.js';
import { DeliveryContexts } from '../delivery-contexts.js';
import type { ReadyPlugin } from '../plugin-catalogue.js';
import type { PluginDoor } from '../plugin-door.js';

/** How long a tool of a plugin may take, in milliseconds, and one that has said that it takes long. */
const CALL_MS = 60_000;
const LONG_CALL_MS = 300_000;

/**
 * Offers the tools, resources and prompts of plugins to agents. The registries decide who may, as for those of the
 * hub.
 */
@Injectable()
export class ToolsDoor implements PluginDoor {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly offers: OfferRegistry,
    private readonly contexts: DeliveryContexts,
  ) {}

  /** What is malformed is left out with one warning; the plugin and the rest of it live. */
  open(plugin: ReadyPlugin): void {
    const { manifest, cell } = plugin;
    const { tools, resources, prompts } = cell.handlers;
    for (const tool of tools) {
      const minPlan = highest(manifest.minPlan, manifest.tools?.[tool.name]?.minPlan, tool.options.minPlan);
      const timeoutMs = tool.options.longRunning ? LONG_CALL_MS : CALL_MS;
      this.tools.register({ ...tool.options, minPlan }, this.callerOf(plugin, tool, timeoutMs), ownerOf(plugin, tool));
    }
    for (const resource of resources) {
      const { options, name } = resource;
      const minPlan = highest(manifest.minPlan, manifest.resources?.[name]?.minPlan, options.minPlan);
      this.offers.addResource({ ...options, minPlan }, this.callerOf(plugin, resource), ownerOf(plugin, resource));
    }
    for (const prompt of prompts) {
      const { options, name } = prompt;
      const minPlan = highest(manifest.minPlan, manifest.prompts?.[name]?.minPlan, options.minPlan);
      this.offers.addPrompt({ ...options, minPlan }, this.callerOf(plugin, prompt), ownerOf(plugin, prompt));
    }
  }

  close(id: string): void {
    this.tools.unregister(id);
    this.offers.unregister(id);
  }

  /** The plugin learns what was asked and how to answer, not who asks. */
  private callerOf(plugin: ReadyPlugin, handler: PluginHandler, timeoutMs = CALL_MS) {
    return (input: never, { caller, signal: outer, progress, log }: CoreToolContext): Promise<unknown> =>
      limited({ timeoutMs, outer }, async signal => {
        const hub = await this.contexts.forCall({ workspaceId: caller.workspaceId, plugin, signal });
        return plugin.cell.call(handler, input, hub, { signal, progress, log });
      });
  }
}

function ownerOf({ id }: ReadyPlugin, { where }: PluginHandler): { readonly name: string; readonly plugin: string } {
  return { name: where, plugin: id };
}

function highest(...plans: readonly (Plan | undefined)[]): Plan {
  return PLANS[Math.max(...plans.map(plan => (plan ? PLANS.indexOf(plan) : 0)))] ?? PLANS[0];
}
