import { Global, Module } from '@nestjs/common';
import { PluginRegistry } from './plugin.registry.js';

/** Provides the registry of the plugins of this process to all modules. */
@Global()
@Module({ providers: [PluginRegistry], exports: [PluginRegistry] })
export class PluginRegistryModule {}
