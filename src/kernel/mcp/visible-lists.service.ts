import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/auth/caller.js';
import { ResourceRegistry } from './resource.registry.js';
import { ToolRegistry } from './tool.registry.js';
import type { ToolView } from './tool-visibility.js';

/** Finds the plugins that a workspace cannot use at present, such as those without the connection that they need. */
export interface PluginAvailability {
  /** Returns the IDs of plugins that are running here and cannot be used by the workspace. */
  findUnavailable(workspaceId: string): Promise<ReadonlySet<string>>;
}

/** Returns the lists of a caller by the names of their change events. */
@Injectable()
export class VisibleListsService {
  private availability: PluginAvailability | undefined;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
  ) {}

  /** Leaves what belongs to unavailable plugins out of all lists. Without it, lists show all plugins. */
  useAvailability(availability: PluginAvailability): void {
    this.availability = availability;
  }

  /** Returns what the lists of a caller depend on. @throws HubError if the database is unavailable. */
  async readView({ plan, scopes, workspaceId }: Caller): Promise<ToolView> {
    const unavailablePlugins = await this.availability?.findUnavailable(workspaceId);
    return { plan, scopes, ...(unavailablePlugins && { unavailablePlugins }) };
  }

  /**
   * Returns what the lists of a caller depend on. While the database is unavailable, nothing is left out: a tool that
   * cannot be used says so when it is called, and one that is missing cannot.
   */
  async toView(caller: Caller): Promise<ToolView> {
    return this.readView(caller).catch(() => caller);
  }

  /** Returns the lists; their entries are identical as long as nothing changes. */
  getLists(view: ToolView) {
    const { tools, resources } = this;
    return {
      tools_list_changed: tools.list(view),
      resources_list_changed: [...resources.listResources(view), ...resources.listTemplates(view)],
      prompts_list_changed: resources.listPrompts(view),
    };
  }
}
