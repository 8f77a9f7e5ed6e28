import { Injectable } from '@nestjs/common';
import { ResourceRegistry } from './resource.registry.js';
import { ToolRegistry } from './tool.registry.js';
import type { ToolView } from './tool-visibility.js';

/** What a caller is listed, by the name of the news about it. */
@Injectable()
export class VisibleListsService {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
  ) {}

  /** The same entries for as long as nothing changes. */
  getLists(view: ToolView) {
    const { tools, resources } = this;
    return {
      tools_list_changed: tools.list(view),
      resources_list_changed: [...resources.listResources(view), ...resources.listTemplates(view)],
      prompts_list_changed: resources.listPrompts(view),
    };
  }
}
