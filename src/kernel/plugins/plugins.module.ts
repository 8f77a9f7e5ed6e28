import { Global, Module } from '@nestjs/common';
import { HttpModule } from '#kernel/http/http.module.js';
import { PluginCatalogue } from './plugin-catalogue.js';
import { PLUGIN_DOORS, PluginHost } from './plugin-host.js';

/** Which plugins there are in this process, for everybody who serves them. */
@Global()
@Module({ providers: [PluginCatalogue], exports: [PluginCatalogue] })
export class PluginCatalogueModule {}

/** The plugin host with the doors that lead to plugins. */
@Module({
  imports: [PluginCatalogueModule, HttpModule],
  providers: [{ provide: PLUGIN_DOORS, useFactory: () => [] }, PluginHost],
  exports: [PluginHost],
})
export class PluginsModule {}
