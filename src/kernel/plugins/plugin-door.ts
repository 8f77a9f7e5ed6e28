import type { ReadyPlugin } from './plugin-catalogue.js';

/** A way to plugins: it is opened for each that gets ready, and closed before its cell is. */
export interface PluginDoor {
  open(plugin: ReadyPlugin): Promise<void> | void;
  /** By id, also for a plugin that it was never opened for. */
  close(id: string): Promise<void> | void;
}
