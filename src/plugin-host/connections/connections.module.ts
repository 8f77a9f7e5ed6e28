import { Module } from '@nestjs/common';
import { HubContextFactory } from '../context/hub-context.factory.js';
import { ProviderLimits, ProviderLimitsSweeper } from '../context/provider-limits.js';
import { PluginEgressClients } from '../context/plugin-http.js';
import { InboundWebhookService } from '../surfaces/inbound/inbound-webhook.service.js';
import { InboundEventStore, InboundSweeper } from '../surfaces/inbound/inbound-event.store.js';
import { PluginJobsModule } from '../jobs/plugin-jobs.module.js';
import { PluginRunsModule } from '../runs/plugin-runs.module.js';
import { PluginRegistryModule } from '../host/plugin-registry.module.js';
import { ConnectionTokensService } from '../oauth2/connection-tokens.service.js';
import { ProviderAuthorizationsService } from '../oauth2/provider-authorizations.service.js';
import { ProviderAuthorizationSweeper } from '../oauth2/provider-authorization.sweeper.js';
import { TokenEndpointClient } from '../oauth2/token-endpoint.client.js';
import { PluginStore, PluginStoreSweeper } from '../store/plugin-store.js';
import { ConnectionMonitor } from './connection.monitor.js';
import { ConnectionOptionsService } from './connection-options.service.js';
import { ConnectionUpgradeService } from './connection-upgrade.service.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault } from './connection-vault.js';
import { ConnectionByIdController } from './connection-by-id.controller.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsService } from './connections.service.js';
import { ConnectionsTools } from './connections.tools.js';
import { ConnectorService } from './connector.service.js';
import { DisconnectorService } from './disconnector.service.js';
import { LifecycleRunner } from './lifecycle.runner.js';
import { PluginDirectory } from './plugin.directory.js';

/**
 * Connections of workspaces to providers, the hub contexts of plugins, and inbound webhooks. Needs the global modules
 * and a provider of `GraphPortFactory`.
 */
@Module({
  imports: [PluginRegistryModule, PluginJobsModule, PluginRunsModule],
  controllers: [ConnectionsController, ConnectionByIdController],
  providers: [
    PluginDirectory,
    ConnectionUrlsService,
    ConnectionOptionsService,
    ConnectionUpgradeService,
    ConnectionVault,
    PluginStore,
    PluginStoreSweeper,
    PluginEgressClients,
    ProviderLimits,
    ProviderLimitsSweeper,
    TokenEndpointClient,
    ConnectionTokensService,
    ProviderAuthorizationsService,
    ProviderAuthorizationSweeper,
    HubContextFactory,
    LifecycleRunner,
    ConnectionsService,
    ConnectorService,
    DisconnectorService,
    ConnectionMonitor,
    ConnectionsTools,
    InboundEventStore,
    InboundWebhookService,
    InboundSweeper,
  ],
  exports: [
    ConnectionsService,
    ConnectionUpgradeService,
    ConnectorService,
    DisconnectorService,
    HubContextFactory,
    PluginStore,
    InboundEventStore,
  ],
})
export class ConnectionsModule {}
