import type { ReadyPlugin } from '../host/plugin.registry.js';

/** A way to plugins: it is opened for each that gets ready, and closed before its cell is. */
export interface PluginSurface {
  open(plugin: ReadyPlugin): Promise<void> | void;
  /** By id, also for a plugin that it was never opened for. */
  close(id: string): Promise<void> | void;
}
