import { Injectable } from '@nestjs/common';
import { OfferRegistry } from './offer.registry.js';
import { ToolRegistry } from './tool.registry.js';
import type { ToolView } from './tool.visibility.js';

/** What a caller is listed, by the name of the news about it. */
@Injectable()
export class OfferedLists {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly offers: OfferRegistry,
  ) {}

  /** The same entries for as long as nothing changes. */
  of(view: ToolView) {
    const { tools, offers } = this;
    return {
      tools_list_changed: tools.list(view),
      resources_list_changed: [...offers.listResources(view), ...offers.listTemplates(view)],
      prompts_list_changed: offers.listPrompts(view),
    };
  }
}
