import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Mcp2025Handler } from './mcp-2025.handler.js';
import { ListChangeSubscriptions } from './list-change-subscriptions.registry.js';
import { McpController } from './mcp.controller.js';
import { Mcp2026Handler } from './mcp-2026.handler.js';
import { ResourceRegistry } from './resource.registry.js';
import { VisibleListsService } from './visible-lists.service.js';
import { ToolDiscovery, ToolRegistry } from './tool.registry.js';

/**
 * Serves MCP over HTTP. Import it once; every `@McpTool`, `@McpResource` and `@McpPrompt` of the application is
 * discovered at start.
 */
@Module({
  imports: [DiscoveryModule],
  controllers: [McpController],
  providers: [
    ToolRegistry,
    ResourceRegistry,
    ToolDiscovery,
    VisibleListsService,
    ListChangeSubscriptions,
    Mcp2025Handler,
    Mcp2026Handler,
  ],
  exports: [ToolRegistry, ResourceRegistry, VisibleListsService],
})
export class McpModule {}
