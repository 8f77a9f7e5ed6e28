import { Module } from '@nestjs/common';
import { KeptPluginJobs } from '../context/kept-plugin-jobs.js';
import { PluginContexts } from '../context/plugin-contexts.js';
import { PluginEgress } from '../context/plugin-egress.js';
import { PluginJobs } from '../context/plugin-ports.js';
import { InboundDoor } from '../inbound/inbound.door.js';
import { InboundEvents } from '../inbound/inbound-events.js';
import { InboundSweeper } from '../inbound/inbound.sweeper.js';
import { PluginJobsModule } from '../jobs/jobs.module.js';
import { PluginCatalogueModule } from '../plugin-catalogue.module.js';
import { PluginStore } from '../store/plugin-store.js';
import { PluginStoreSweeper } from '../store/plugin-store.sweeper.js';
import { CatalogueDirectory } from './catalogue-directory.js';
import { ConnectionKeeper } from './connection.keeper.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault } from './connection-vault.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsService } from './connections.service.js';
import { ConnectionsTools } from './connections.tools.js';
import { Connector } from './connector.service.js';
import { Disconnector } from './disconnector.service.js';
import { LifecycleRunner } from './lifecycle-runner.js';
import { PluginDirectory } from './plugin-directory.js';

/**
 * How workspaces are connected to providers: connections, the hub that plugins are handed, and the door for webhooks.
 * Stands on the modules that are global, and on one that gives `GraphPorts`.
 */
@Module({
  imports: [PluginCatalogueModule, PluginJobsModule],
  controllers: [ConnectionsController],
  providers: [
    { provide: PluginDirectory, useClass: CatalogueDirectory },
    { provide: PluginJobs, useClass: KeptPluginJobs },
    ConnectionUrlsService,
    ConnectionVault,
    PluginStore,
    PluginStoreSweeper,
    PluginEgress,
    PluginContexts,
    LifecycleRunner,
    ConnectionsService,
    Connector,
    Disconnector,
    ConnectionKeeper,
    ConnectionsTools,
    InboundEvents,
    InboundDoor,
    InboundSweeper,
  ],
  exports: [ConnectionsService, Connector, Disconnector, PluginContexts, PluginStore, InboundEvents],
})
export class ConnectionsModule {}
