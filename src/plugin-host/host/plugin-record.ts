import type { PluginManifest } from '#sdk/manifest.js';
import type { PluginContainer } from '../container/plugin-container.js';
import type { DiscoveredPackage } from './discovery/read-package.js';
import type { PluginInfo, PluginState } from './plugin-state.js';
import type { EnabledPlugin } from './plugin.registry.js';
import { ALL_PLUGINS, type DesiredPlugin } from './desired-state/desired-plugins.queries.js';

/** A plugin as the host keeps it from one look to the next. */
export interface PluginRecord {
  readonly discovered: DiscoveredPackage;
  /** Id in the manifest; the name of the package where none could be read. */
  readonly id: string;
  /** The generation that was wished for when it was read. */
  readonly generation: number;
  readonly manifest: PluginManifest | undefined;
  /** The last manifest of it that could be read: what came for it by that is still kept for it. */
  readonly lastManifest: PluginManifest | undefined;
  state: PluginState;
  reason: string | undefined;
  container: PluginContainer | undefined;
}

/** What operators wish, by id or name of the package. */
export class DesiredState {
  private readonly plugins: ReadonlyMap<string, DesiredPlugin>;

  constructor(wishes: readonly DesiredPlugin[]) {
    this.plugins = new Map(wishes.map(wish => [wish.plugin, wish]));
  }

  /** Whether a plugin shall be enabled, which it is unless somebody said otherwise. */
  isEnabled(id: string): boolean {
    return this.plugins.get(id)?.enabled ?? true;
  }

  /** Grows with every wish to load it anew. */
  generation(id: string): number {
    return (this.plugins.get(id)?.generation ?? 0) + (this.plugins.get(ALL_PLUGINS)?.generation ?? 0);
  }

  /** The same text for the same wishes. */
  toString(): string {
    return JSON.stringify([...this.plugins.values()].toSorted((a, b) => (a.plugin < b.plugin ? -1 : 1)));
  }
}

/** Those of these plugins that shall serve, by what was last known of them. */
export function toExpectedPlugins(plugins: readonly PluginRecord[], desired: DesiredState): EnabledPlugin[] {
  return plugins.flatMap(({ lastManifest: manifest, state }) => {
    const isExpected = manifest !== undefined && state !== 'conflict' && desired.isEnabled(manifest.id);
    return isExpected ? [{ id: manifest.id, manifest }] : [];
  });
}

/** Shows a plugin to operators. */
export function toPluginInfo({ discovered, id, state, reason }: PluginRecord): PluginInfo {
  const listing = { id, package: discovered.name, version: discovered.version, state };
  return reason === undefined ? listing : { ...listing, reason };
}
