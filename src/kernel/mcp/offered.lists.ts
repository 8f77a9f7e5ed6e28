import { Injectable } from '@nestjs/common';
import { ToolRegistry } from './tool.registry.js';
import type { ToolView } from './tool.visibility.js';

/** What a caller is listed, by the name of the news about it. */
@Injectable()
export class OfferedLists {
  constructor(private readonly tools: ToolRegistry) {}

  /** The same entries for as long as nothing changes. */
  of(view: ToolView) {
    return { tools_list_changed: this.tools.list(view) };
  }
}
