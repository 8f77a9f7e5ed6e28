import { Global, Module } from '@nestjs/common';
import { EventsModule } from '#kernel/events/events.module.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { McpModule } from '#kernel/mcp/mcp.module.js';
import { BareContexts } from './bare-contexts.js';
import { DeliveryContexts } from './delivery-contexts.js';
import { DocsDoor } from './doors/docs.door.js';
import { PluginRoutesController } from './doors/routes.controller.js';
import { ToolsDoor } from './doors/tools.door.js';
import { EventsDoor } from './jobs/events.door.js';
import { JobsDoor } from './jobs/jobs.door.js';
import { PluginJobsModule } from './jobs/jobs.module.js';
import { PluginCatalogue } from './plugin-catalogue.js';
import type { PluginDoor } from './plugin-door.js';
import { PLUGIN_DOORS, PluginHost } from './plugin-host.js';

/** Which plugins there are in this process, for everybody who serves them. */
@Global()
@Module({ providers: [PluginCatalogue], exports: [PluginCatalogue] })
export class PluginCatalogueModule {}

/** The plugin host with the doors that lead to plugins. */
@Module({
  imports: [PluginCatalogueModule, PluginJobsModule, HttpModule, McpModule, EventsModule],
  controllers: [PluginRoutesController],
  providers: [
    { provide: DeliveryContexts, useClass: BareContexts },
    ToolsDoor,
    DocsDoor,
    JobsDoor,
    EventsDoor,
    {
      provide: PLUGIN_DOORS,
      inject: [ToolsDoor, DocsDoor, JobsDoor],
      useFactory: (...doors: PluginDoor[]) => doors,
    },
    PluginHost,
  ],
  exports: [PluginHost],
})
export class PluginsModule {}
