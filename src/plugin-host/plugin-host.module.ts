import { Module } from '@nestjs/common';
import { EventsModule } from '#kernel/events/events.module.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { McpModule } from '#kernel/mcp/mcp.module.js';
import { ConnectionDeliveryContextFactory, DeliveryContextFactory } from './context/delivery-context.factory.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { OpenApiSurface } from './surfaces/openapi.surface.js';
import { RouteIdempotency } from './surfaces/routes/route.idempotency.js';
import { RouteInvoker } from './surfaces/routes/route.invoker.js';
import { PluginRoutesController } from './surfaces/routes/plugin-routes.controller.js';
import { ToolSurface } from './surfaces/tool.surface.js';
import { EventSubscriber } from './surfaces/events/event.subscriber.js';
import { InboundPayloadLoader } from './surfaces/inbound/inbound-event.store.js';
import { PluginJobScheduler } from './jobs/plugin-job.scheduler.js';
import { JobWorkers } from './surfaces/job-workers.surface.js';
import { PluginJobsModule } from './jobs/plugin-jobs.module.js';
import { PluginRunsModule } from './runs/plugin-runs.module.js';
import { PluginRegistryModule } from './host/plugin-registry.module.js';
import type { PluginSurface } from './surfaces/plugin-surface.js';
import { PLUGIN_SURFACES, PluginReconciler } from './host/plugin.reconciler.js';
import { PluginUsageService } from './host/plugin-usage.service.js';
import { PluginRouteProxy } from './surfaces/routes/plugin-route.proxy.js';

/** The plugin host: discovers plugins, starts each in a container of its own, and opens their surfaces. */
@Module({
  imports: [
    PluginRegistryModule,
    PluginJobsModule,
    PluginRunsModule,
    HttpModule,
    McpModule,
    EventsModule,
    ConnectionsModule,
  ],
  controllers: [PluginRoutesController],
  providers: [
    { provide: DeliveryContextFactory, useClass: ConnectionDeliveryContextFactory },
    PluginUsageService,
    RouteIdempotency,
    RouteInvoker,
    PluginRouteProxy,
    ToolSurface,
    OpenApiSurface,
    JobWorkers,
    EventSubscriber,
    InboundPayloadLoader,
    PluginJobScheduler,
    {
      provide: PLUGIN_SURFACES,
      inject: [ToolSurface, OpenApiSurface, JobWorkers],
      useFactory: (...surfaces: PluginSurface[]) => surfaces,
    },
    PluginReconciler,
  ],
  exports: [PluginReconciler, PluginUsageService, PluginRouteProxy],
})
export class PluginHostModule {}
