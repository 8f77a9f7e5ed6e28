import type { ConnectionLifecycle } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest.js';

/** A plugin that serves, as far as connecting to it goes. */
export interface ConnectablePlugin {
  readonly id: string;
  readonly manifest: PluginManifest;
  /** Undefined for a plugin that has nobody to connect to. Calls go through the plugin's own container. */
  readonly lifecycle: ConnectionLifecycle | undefined;
}

/** A plugin that was found, whatever became of it. */
export interface DiscoveredPlugin {
  readonly id: string;
  readonly state: string;
  /** Why it does not serve. */
  readonly reason?: string | undefined;
}

/** Which plugins there are in this process. */
export abstract class PluginDirectory {
  /** All that were found, in the order of discovery. */
  abstract list(): readonly DiscoveredPlugin[];
  /** What is declared by one that shall serve, also while it cannot be opened. */
  abstract findManifest(id: string): PluginManifest | undefined;
  /** One that serves. */
  abstract findReady(id: string): ConnectablePlugin | undefined;
}
