import type { DynamicModule } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { ReadyPlugin } from '../host/plugin.registry.js';

/**
 * An entry point to plugins. It is opened for each plugin that gets ready, and closed before the plugin's container.
 */
export interface PluginSurface {
  /** Returns the modules of the hub that the container of a plugin is built with, beside the plugin's own. */
  listModules?(manifest: PluginManifest): readonly DynamicModule[];
  open(plugin: ReadyPlugin): Promise<void> | void;
  /** Closes it for a plugin, by ID. Does nothing if it was never opened for the plugin. */
  close(id: string): Promise<void> | void;
}
