import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LegacyLeg } from './legacy.leg.js';
import { Listeners } from './listeners.js';
import { McpController } from './mcp.controller.js';
import { ModernLeg } from './modern.leg.js';
import { OfferRegistry } from './offer.registry.js';
import { OfferedLists } from './offered.lists.js';
import { ToolDiscovery } from './tool.discovery.js';
import { ToolRegistry } from './tool.registry.js';

/** MCP over HTTP. Import it once; every `@McpTool`, `@McpResource` and `@McpPrompt` of the application is found at start. */
@Module({
  imports: [DiscoveryModule],
  controllers: [McpController],
  providers: [ToolRegistry, OfferRegistry, ToolDiscovery, OfferedLists, Listeners, LegacyLeg, ModernLeg],
  exports: [ToolRegistry, OfferRegistry],
})
export class McpModule {}
