import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { PluginContainer } from '../container/plugin-container.js';
import type { DiscoveredPackage } from './discover-plugins.js';
import type { EnabledPlugin } from './plugin.registry.js';
import { ALL_PLUGINS, type DesiredPlugin } from './desired-state.queries.js';

/**
 * The state of a plugin in this process. While starting: `discovered` (package.json read), `valid` (manifest read),
 * `loaded` (module started, manifest and code agree), `ready` (running). Where it stopped: `invalid` and `incompatible`
 * (the package has to be fixed), `conflict` (another plugin has its ID), `failed` (its code failed at the start),
 * `disabled` (an operator disabled it).
 */
export type PluginState =
  | 'discovered'
  | 'valid'
  | 'loaded'
  | 'ready'
  | 'invalid'
  | 'incompatible'
  | 'conflict'
  | 'failed'
  | 'disabled';

/** A plugin as it is presented to operators. */
export interface PluginInfo {
  /** ID in the manifest, or the package name if no manifest could be read. */
  readonly id: string;
  readonly package: string;
  readonly version: string;
  readonly state: PluginState;
  /** Why it is not ready, and how to fix it. */
  readonly reason?: string;
}

/** The state that the host keeps for a plugin between reconciliations. */
export interface PluginRecord {
  readonly discovered: DiscoveredPackage;
  /** ID in the manifest, or the package name if no manifest could be read. */
  readonly id: string;
  /** The desired generation that was applied last. */
  generation: number;
  readonly manifest: PluginManifest | undefined;
  /** The last manifest that could be read. Events and webhooks that it declares are still stored for the plugin. */
  readonly lastManifest: PluginManifest | undefined;
  state: PluginState;
  reason: string | undefined;
  container: PluginContainer | undefined;
  /** Starts in a row that took too long. */
  slowStarts: number;
  /** When a start that took too long is repeated, in milliseconds of `performance.now()`; undefined if it is not. */
  retryAtMs: number | undefined;
}

/** The desired state of all plugins, by plugin ID or package name. */
export class DesiredState {
  private readonly plugins: ReadonlyMap<string, DesiredPlugin>;

  constructor(plugins: readonly DesiredPlugin[]) {
    this.plugins = new Map(plugins.map(desired => [desired.plugin, desired]));
  }

  /** Returns whether a plugin should be enabled. Default: true. */
  isEnabled(id: string): boolean {
    return this.plugins.get(id)?.enabled ?? true;
  }

  /** Returns a number that grows with every requested reload of the plugin or of all plugins. */
  generation(id: string): number {
    return (this.plugins.get(id)?.generation ?? 0) + (this.plugins.get(ALL_PLUGINS)?.generation ?? 0);
  }

  /** Returns a string that is equal for equal desired states. */
  toString(): string {
    return JSON.stringify([...this.plugins.values()].toSorted((a, b) => (a.plugin < b.plugin ? -1 : 1)));
  }
}

/** Returns the plugins that should be running, with their last readable manifest. */
export function toExpectedPlugins(plugins: readonly PluginRecord[], desired: DesiredState): EnabledPlugin[] {
  return plugins.flatMap(({ lastManifest: manifest, state }) => {
    const isExpected = manifest !== undefined && state !== 'conflict' && desired.isEnabled(manifest.id);
    return isExpected ? [{ id: manifest.id, manifest }] : [];
  });
}

/** Presents a plugin to operators. */
export function toPluginInfo({ discovered, id, state, reason }: PluginRecord): PluginInfo {
  const listing = { id, package: discovered.name, version: discovered.version, state };
  return reason === undefined ? listing : { ...listing, reason };
}
