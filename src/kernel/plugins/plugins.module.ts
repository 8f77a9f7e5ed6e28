import { Module } from '@nestjs/common';
import { EventsModule } from '#kernel/events/events.module.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { McpModule } from '#kernel/mcp/mcp.module.js';
import { ConnectedContexts } from './connected-contexts.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { DeliveryContexts } from './delivery-contexts.js';
import { DocsDoor } from './doors/docs.door.js';
import { RouteAnswers } from './doors/route-answers.js';
import { RouteCalls } from './doors/route-calls.js';
import { PluginRoutesController } from './doors/routes.controller.js';
import { ToolsDoor } from './doors/tools.door.js';
import { EventsDoor } from './jobs/events.door.js';
import { InboundReader } from './jobs/inbound.reader.js';
import { JobSchedule } from './jobs/job-schedule.js';
import { JobsDoor } from './jobs/jobs.door.js';
import { PluginJobsModule } from './jobs/jobs.module.js';
import { PluginCatalogueModule } from './plugin-catalogue.module.js';
import type { PluginDoor } from './plugin-door.js';
import { PLUGIN_DOORS, PluginHost } from './plugin-host.js';
import { PluginUses } from './plugin-uses.js';
import { CrmSyncController } from './twins/crm-sync.controller.js';
import { CrmSyncService } from './twins/crm-sync.service.js';
import { CrmSyncTools } from './twins/crm-sync.tools.js';
import { PluginForward } from './twins/plugin-forward.js';
import { TriggersController } from './twins/triggers.controller.js';
import { TriggersTools } from './twins/triggers.tools.js';

/** The plugin host with the doors that lead to plugins. */
@Module({
  imports: [PluginCatalogueModule, PluginJobsModule, HttpModule, McpModule, EventsModule, ConnectionsModule],
  controllers: [PluginRoutesController, TriggersController, CrmSyncController],
  providers: [
    { provide: DeliveryContexts, useClass: ConnectedContexts },
    PluginUses,
    RouteAnswers,
    RouteCalls,
    PluginForward,
    TriggersTools,
    CrmSyncService,
    CrmSyncTools,
    ToolsDoor,
    DocsDoor,
    JobsDoor,
    EventsDoor,
    InboundReader,
    JobSchedule,
    {
      provide: PLUGIN_DOORS,
      inject: [ToolsDoor, DocsDoor, JobsDoor],
      useFactory: (...doors: PluginDoor[]) => doors,
    },
    PluginHost,
  ],
  exports: [PluginHost, PluginUses],
})
export class PluginsModule {}
