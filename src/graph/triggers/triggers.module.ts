import { Module } from '@nestjs/common';
import { PluginHostModule } from '#plugin-host/plugin-host.module.js';
import { TriggersController } from './triggers.controller.js';
import { TriggersService } from './triggers.service.js';
import { TriggersTools } from './triggers.tools.js';

/** REST and MCP access to the webhook endpoints of the plugin `triggers`. */
@Module({
  imports: [PluginHostModule],
  controllers: [TriggersController],
  providers: [TriggersService, TriggersTools],
})
export class TriggersModule {}
