import { Injectable } from '@nestjs/common';
import { ResourceRegistry } from './resource.registry.js';
import { ToolRegistry } from './tool.registry.js';
import type { ToolView } from './tool-visibility.js';

/** Returns the lists of a caller by the names of their change events. */
@Injectable()
export class VisibleListsService {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
  ) {}

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
