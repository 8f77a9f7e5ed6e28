import { Injectable } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { PluginContainer } from '../container/plugin-container.js';
import type { PluginInfo } from './plugin-record.js';

/** A plugin that should be running. Its events and webhooks are stored even while it cannot be started. */
export interface EnabledPlugin {
  readonly id: string;
  readonly manifest: PluginManifest;
  /** Undefined while the plugin is not running. */
  readonly container?: PluginContainer | undefined;
}

/** A plugin that is running in this process. */
export interface ReadyPlugin extends EnabledPlugin {
  readonly version: string;
  readonly container: PluginContainer;
}

/** The plugins are closed because the process is shutting down. */
export class PluginsClosedError extends Error {
  constructor() {
    super('The plugins of this process are closed.');
  }
}

/** Registry of the plugins of this process. All parts of the host read it; only the plugin loader changes it. */
@Injectable()
export class PluginRegistry {
  private readonly plugins = new Map<string, ReadyPlugin>();
  private listings: readonly PluginInfo[] = [];
  private enabled: readonly EnabledPlugin[] = [];
  private readonly firstSettled = Promise.withResolvers<void>();
  private pendingChange: Promise<void> = this.firstSettled.promise;

  /**
   * Resolves when the plugins of this process have been started and no change is being applied. From then on, a plugin
   * that is missing here is not installed or failed.
   * @throws PluginsClosedError when the process is shutting down
   */
  whenSettled(): Promise<void> {
    return this.pendingChange;
  }

  /** Returns every discovered plugin in any state, in the order of discovery. */
  list(): readonly PluginInfo[] {
    return this.listings;
  }

  /** Returns a running plugin; undefined if it is not running, for whatever reason. */
  findReady(id: string): ReadyPlugin | undefined {
    return this.plugins.get(id);
  }

  /** Returns every running plugin. */
  listReady(): readonly ReadyPlugin[] {
    return [...this.plugins.values()];
  }

  /** Returns every plugin that should be running, including those that cannot be started now. */
  listExpected(): readonly EnabledPlugin[] {
    const notReady = this.enabled.filter(({ id }) => !this.plugins.has(id));
    return [...this.plugins.values(), ...notReady];
  }

  /** Returns the running plugins that consume events of this type. */
  listConsumers(type: string): readonly ReadyPlugin[] {
    return filterConsumers(this.listReady(), type);
  }

  /** For the loader: marks plugins as changing until `change` settles. */
  beginChange(change: Promise<void>): void {
    this.pendingChange = change;
    change.then(this.firstSettled.resolve, () => undefined);
  }

  /** For the loader: replaces the plugins that should be running. */
  setExpected(plugins: readonly EnabledPlugin[]): void {
    this.enabled = plugins;
  }

  /** For the loader: replaces the list of all discovered plugins. */
  setListing(listings: readonly PluginInfo[]): void {
    this.listings = listings;
  }

  /** For the loader: adds a running plugin. */
  add(plugin: ReadyPlugin): void {
    this.plugins.set(plugin.id, plugin);
  }

  /** For the loader: removes a plugin that is no longer running. */
  remove(id: string): void {
    this.plugins.delete(id);
  }
}

/** Returns those of `plugins` that consume events of this type. */
export function filterConsumers<Plugin extends EnabledPlugin>(
  plugins: readonly Plugin[],
  type: string,
): readonly Plugin[] {
  return plugins.filter(({ manifest }) => manifest.consumes?.includes(type));
}
