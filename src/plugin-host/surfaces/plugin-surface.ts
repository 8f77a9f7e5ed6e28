import type { ReadyPlugin } from '../host/plugin.registry.js';

/**
 * An entry point to plugins. It is opened for each plugin that gets ready, and closed before the plugin's container.
 */
export interface PluginSurface {
  open(plugin: ReadyPlugin): Promise<void> | void;
  /** Closes it for a plugin, by ID. Does nothing if it was never opened for the plugin. */
  close(id: string): Promise<void> | void;
}
