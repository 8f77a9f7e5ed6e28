import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { LegacyLeg } from './legacy.leg.js';
import { Listeners } from './listeners.js';
import { McpController } from './mcp.controller.js';
import { ModernLeg } from './modern.leg.js';
import { OfferedLists } from './offered.lists.js';
import { ToolDiscovery } from './tool.discovery.js';
import { ToolRegistry } from './tool.registry.js';

/** MCP over HTTP. Import it once; every `@McpTool` of the application is found at start. */
@Module({
  imports: [DiscoveryModule],
  controllers: [McpController],
  providers: [ToolRegistry, ToolDiscovery, OfferedLists, Listeners, LegacyLeg, ModernLeg],
  exports: [ToolRegistry],
})
export class McpModule {}
