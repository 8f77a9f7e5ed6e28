import type { PluginManifest } from '#sdk/manifest.js';
import type { PluginCell } from './cell/plugin-cell.js';
import type { FoundPackage } from './find/package-file.js';
import type { PluginListing, PluginState } from './find/plugin-state.js';
import type { ExpectedPlugin } from './plugin-catalogue.js';
import { EVERY_PLUGIN, type PluginWish } from './wishes/plugin-wishes.js';

/** A plugin as the host keeps it from one look to the next. */
export interface KnownPlugin {
  readonly found: FoundPackage;
  /** Id in the manifest; the name of the package where none could be read. */
  readonly id: string;
  /** The generation that was wished for when it was read. */
  readonly generation: number;
  readonly manifest: PluginManifest | undefined;
  /** The last manifest of it that could be read: what came for it by that is still kept for it. */
  readonly lastManifest: PluginManifest | undefined;
  state: PluginState;
  reason: string | undefined;
  cell: PluginCell | undefined;
}

/** What operators wish, by id or name of the package. */
export class Wishes {
  private readonly wishes: ReadonlyMap<string, PluginWish>;

  constructor(wishes: readonly PluginWish[]) {
    this.wishes = new Map(wishes.map(wish => [wish.plugin, wish]));
  }

  /** Whether a plugin shall be enabled, which it is unless somebody said otherwise. */
  enabled(id: string): boolean {
    return this.wishes.get(id)?.enabled ?? true;
  }

  /** Grows with every wish to load it anew. */
  generation(id: string): number {
    return (this.wishes.get(id)?.generation ?? 0) + (this.wishes.get(EVERY_PLUGIN)?.generation ?? 0);
  }

  /** The same text for the same wishes. */
  toString(): string {
    return JSON.stringify([...this.wishes.values()].toSorted((a, b) => (a.plugin < b.plugin ? -1 : 1)));
  }
}

/** Those of these plugins that shall serve, by what was last known of them. */
export function expectedAmong(plugins: readonly KnownPlugin[], wishes: Wishes): ExpectedPlugin[] {
  return plugins.flatMap(({ lastManifest: manifest, state }) => {
    const isWanted = manifest !== undefined && state !== 'conflict' && wishes.enabled(manifest.id);
    return isWanted ? [{ id: manifest.id, manifest }] : [];
  });
}

/** Shows a plugin to operators. */
export function listingOf({ found, id, state, reason }: KnownPlugin): PluginListing {
  const listing = { id, package: found.name, version: found.version, state };
  return reason === undefined ? listing : { ...listing, reason };
}
