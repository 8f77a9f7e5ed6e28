import { Global, Module } from '@nestjs/common';
import { PluginRegistry } from './plugin.registry.js';

/** Which plugins there are in this process, for everybody who serves them. */
@Global()
@Module({ providers: [PluginRegistry], exports: [PluginRegistry] })
export class PluginRegistryModule {}
