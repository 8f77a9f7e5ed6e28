import { Injectable } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest.js';
import type { PluginCell } from './cell/plugin-cell.js';
import type { PluginListing } from './find/plugin-state.js';

/** A plugin that shall serve, whether or not it can be opened: what comes for it is kept. */
export interface ExpectedPlugin {
  readonly id: string;
  readonly manifest: PluginManifest;
  /** Undefined while it does not serve. */
  readonly cell?: PluginCell | undefined;
}

/** A plugin that serves in this process. */
export interface ReadyPlugin extends ExpectedPlugin {
  readonly version: string;
  readonly cell: PluginCell;
}

/** Nothing can be told to plugins: this process is about to end. */
export class PluginsClosed extends Error {
  constructor() {
    super('The plugins of this process are closed.');
  }
}

/** The plugins of this process: what all parts of the host look them up in, and only the host changes. */
@Injectable()
export class PluginCatalogue {
  private readonly plugins = new Map<string, ReadyPlugin>();
  private listed: readonly PluginListing[] = [];
  private shallServe: readonly ExpectedPlugin[] = [];
  private readonly first = Promise.withResolvers<void>();
  private change: Promise<void> = this.first.promise;

  /**
   * Resolves when all plugins of this process are up that will come up, so that those who are missing here are missing
   * indeed: not before the first ones were brought up, and not while some are being exchanged.
   * @throws PluginsClosed when they have gone, as the process ends
   */
  standing(): Promise<void> {
    return this.change;
  }

  /** Every plugin that was found, in the order of discovery, whatever became of it. */
  list(): readonly PluginListing[] {
    return this.listed;
  }

  /** A plugin that serves; undefined for one that does not, for whatever reason. */
  ready(id: string): ReadyPlugin | undefined {
    return this.plugins.get(id);
  }

  /** Every plugin that serves. */
  allReady(): readonly ReadyPlugin[] {
    return [...this.plugins.values()];
  }

  /** Every plugin that shall serve: those that do, and those that cannot be opened now. */
  expected(): readonly ExpectedPlugin[] {
    const absent = this.shallServe.filter(({ id }) => !this.plugins.has(id));
    return [...this.plugins.values(), ...absent];
  }

  /** Those that listen to events of this type. */
  consumersOf(type: string): readonly ReadyPlugin[] {
    return consumersAmong(this.allReady(), type);
  }

  /** For the host: plugins come and go until this resolves. */
  changing(change: Promise<void>): void {
    this.change = change;
    change.then(this.first.resolve, () => undefined);
  }

  /** For the host: these shall serve from now on. */
  expect(plugins: readonly ExpectedPlugin[]): void {
    this.shallServe = plugins;
  }

  /** For the host: what has become of everything. */
  show(listed: readonly PluginListing[]): void {
    this.listed = listed;
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
export function consumersAmong<Plugin extends ExpectedPlugin>(
  plugins: readonly Plugin[],
  type: string,
): readonly Plugin[] {
  return plugins.filter(({ manifest }) => manifest.consumes?.includes(type));
}
