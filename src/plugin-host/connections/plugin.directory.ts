import type { ConnectionLifecycle } from '#sdk/lifecycle.js';
import type { PluginManifest } from '#sdk/manifest.js';

/** A running plugin with the parts that connections use. */
export interface ConnectablePlugin {
  readonly id: string;
  readonly manifest: PluginManifest;
  /** Undefined for a plugin without a provider. Calls run in the plugin's container. */
  readonly lifecycle: ConnectionLifecycle | undefined;
}

/** A discovered plugin in any state. */
export interface DiscoveredPlugin {
  readonly id: string;
  readonly state: string;
  /** Why it is not running. */
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
