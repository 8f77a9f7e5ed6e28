import { Module } from '@nestjs/common';
import { ConnectionsModule } from '#plugin-host/connections/connections.module.js';
import { CrmSyncController } from './crm-sync.controller.js';
import { CrmSyncService } from './crm-sync.service.js';
import { CrmSyncTools } from './crm-sync.tools.js';

/** REST and MCP access to the settings of a connected CRM. */
@Module({
  imports: [ConnectionsModule],
  controllers: [CrmSyncController],
  providers: [CrmSyncService, CrmSyncTools],
})
export class CrmSyncModule {}
