import { Module } from '@nestjs/common';
import { ConnectionsModule } from '#plugin-host/connections/connections.module.js';
import { PluginRunsModule } from '#plugin-host/runs/plugin-runs.module.js';
import { CrmSyncController } from './crm-sync.controller.js';
import { CrmSyncService } from './crm-sync.service.js';
import { CrmSyncTools } from './crm-sync.tools.js';

/** REST and MCP access to the settings of a connected CRM and to its syncs. */
@Module({
  imports: [ConnectionsModule, PluginRunsModule],
  controllers: [CrmSyncController],
  providers: [CrmSyncService, CrmSyncTools],
})
export class CrmSyncModule {}
