import { Global, Module } from '@nestjs/common';
import { PluginCatalogue } from './plugin-catalogue.js';

/** Which plugins there are in this process, for everybody who serves them. */
@Global()
@Module({ providers: [PluginCatalogue], exports: [PluginCatalogue] })
export class PluginCatalogueModule {}
