import { Injectable } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest.js';
import type { PluginContainer } from '../container/plugin-container.js';
import type { PluginInfo } from './plugin-state.js';

/** A plugin that shall serve, whether or not it can be opened: what comes for it is kept. */
export interface EnabledPlugin {
  readonly id: string;
  readonly manifest: PluginManifest;
  /** Undefined while it does not serve. */
  readonly container?: PluginContainer | undefined;
}

/** A plugin that serves in this process. */
export interface ReadyPlugin extends EnabledPlugin {
  readonly version: string;
  readonly container: PluginContainer;
}

/** Nothing can be told to plugins: this process is about to end. */
export class PluginsClosedError extends Error {
  constructor() {
    super('The plugins of this process are closed.');
  }
}

/** The plugins of this process: what all parts of the host look them up in, and only the host changes. */
@Injectable()
export class PluginRegistry {
  private readonly plugins = new Map<string, ReadyPlugin>();
  private listings: readonly PluginInfo[] = [];
  private enabled: readonly EnabledPlugin[] = [];
  private readonly firstSettled = Promise.withResolvers<void>();
  private pendingChange: Promise<void> = this.firstSettled.promise;

  /**
   * Resolves when all plugins of this process are up that will come up, so that those who are missing here are missing
   * indeed: not before the first ones were brought up, and not while some are being exchanged.
   * @throws PluginsClosed when they have gone, as the process ends
   */
  whenSettled(): Promise<void> {
    return this.pendingChange;
  }

  /** Every plugin that was found, in the order of discovery, whatever became of it. */
  list(): readonly PluginInfo[] {
    return this.listings;
  }

  /** A plugin that serves; undefined for one that does not, for whatever reason. */
  findReady(id: string): ReadyPlugin | undefined {
    return this.plugins.get(id);
  }

  /** Every plugin that serves. */
  listReady(): readonly ReadyPlugin[] {
    return [...this.plugins.values()];
  }

  /** Every plugin that shall serve: those that do, and those that cannot be opened now. */
  listExpected(): readonly EnabledPlugin[] {
    const notReady = this.enabled.filter(({ id }) => !this.plugins.has(id));
    return [...this.plugins.values(), ...notReady];
  }

  /** Those that listen to events of this type. */
  listConsumers(type: string): readonly ReadyPlugin[] {
    return filterConsumers(this.listReady(), type);
  }

  /** For the host: plugins come and go until this resolves. */
  beginChange(change: Promise<void>): void {
    this.pendingChange = change;
    change.then(this.firstSettled.resolve, () => undefined);
  }

  /** For the host: these shall serve from now on. */
  setExpected(plugins: readonly EnabledPlugin[]): void {
    this.enabled = plugins;
  }

  /** For the host: what has become of everything. */
  setListing(listings: readonly PluginInfo[]): void {
    this.listings = listings;
  }

  /** For the host: a plugin serves from now on. */
  add(plugin: ReadyPlugin): void {
    this.plugins.set(plugin.id, plugin);
  }

  /** For the host: a plugin serves no more. */
  remove(id: string): void {
    this.plugins.delete(id);
  }
}

/** Those of these plugins that listen to events of this type. */
export function filterConsumers<Plugin extends EnabledPlugin>(
  plugins: readonly Plugin[],
  type: string,
): readonly Plugin[] {
  return plugins.filter(({ manifest }) => manifest.consumes?.includes(type));
}
