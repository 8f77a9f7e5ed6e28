import { Logger } from '@nestjs/common';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { openPlugin } from './cell/open-plugin.js';
import type { FoundPackage } from './find/package-file.js';
import { readManifest } from './find/read-manifest.js';
import { expectedAmong, type KnownPlugin, listingOf, type Wishes } from './known-plugin.js';
import { PluginCatalogue, PluginsClosed } from './plugin-catalogue.js';
import type { PluginDoor } from './plugin-door.js';

/** Brings plugins up and takes them down, one after the other for each of them. What fails stays with the plugin. */
export class PluginLoader {
  private readonly log = new Logger('plugins');
  private known: readonly KnownPlugin[] = [];
  private imports = 0;

  constructor(
    private readonly catalogue: PluginCatalogue,
    private readonly doors: readonly PluginDoor[],
  ) {}

  /** Makes of what was found what operators wish. Plugins that are as they should be are not touched. */
  bring(found: readonly FoundPackage[], wishes: Wishes): Promise<void> {
    const brought = this.change(found, wishes);
    this.catalogue.changing(brought);
    return brought;
  }

  /** Takes all plugins down, in bounded time. */
  async end(): Promise<void> {
    this.catalogue.changing(Promise.reject(new PluginsClosed()));
    await Promise.all(this.known.map(plugin => this.takeDown(plugin)));
  }

  private async change(found: readonly FoundPackage[], wishes: Wishes): Promise<void> {
    const next = await Promise.all(found.map(each => this.recall(each, wishes)));
    settleConflicts(next);
    const gone = this.known.filter(plugin => !next.includes(plugin));
    this.known = next;
    this.catalogue.expect(expectedAmong(next, wishes));
    await Promise.all(gone.map(plugin => this.takeDown(plugin)));
    await Promise.all(next.map(plugin => this.settle(plugin, wishes)));
    this.catalogue.show(next.map(listingOf));
  }

  /** The plugin as it was known, or read anew when it is new here or a new generation of it is wished for. */
  private async recall(found: FoundPackage, wishes: Wishes): Promise<KnownPlugin> {
    const before = this.known.find(plugin => plugin.found.folder === found.folder);
    if (before && before.generation === wishes.generation(before.id)) return before;
    const reading = await readManifest(found, before ? ++this.imports : 0);
    const manifest = reading.state === 'valid' ? reading.manifest : undefined;
    const refused = reading.state === 'valid' ? { id: reading.manifest.id, reason: undefined } : reading;
    const id = refused.id ?? found.name;
    const generation = wishes.generation(id);
    const lastManifest = manifest ?? before?.lastManifest;
    return {
      found,
      id,
      generation,
      manifest,
      lastManifest,
      state: reading.state,
      reason: refused.reason,
      cell: undefined,
    };
  }

  private async settle(plugin: KnownPlugin, wishes: Wishes): Promise<void> {
    if (!plugin.manifest || plugin.state === 'conflict') return this.takeDown(plugin);
    if (!wishes.enabled(plugin.id)) {
      await this.takeDown(plugin);
      plugin.state = 'disabled';
      plugin.reason = `An operator has disabled it: rapport admin plugins enable ${plugin.id}.`;
    } else if (plugin.state === 'valid' || plugin.state === 'disabled') {
      await this.load(plugin);
    }
  }

  private async load(plugin: KnownPlugin): Promise<void> {
    const { found, id, manifest } = plugin;
    try {
      const generation = plugin.generation > 0 || plugin.state === 'disabled' ? ++this.imports : 0;
      const cell = await openPlugin(manifest!, found.entry!, generation);
      Object.assign(plugin, { cell, state: 'loaded', reason: undefined });
      const ready = { id, version: found.version, manifest: manifest!, cell };
      this.catalogue.add(ready);
      for (const door of this.doors) await door.open(ready);
      plugin.state = 'ready';
    } catch (error) {
      await this.takeDown(plugin);
      Object.assign(plugin, { state: 'failed', reason: reasonOf(error) });
      this.log.warn(`The plugin "${id}" is left out: ${plugin.reason}`);
    }
  }

  private async takeDown(plugin: KnownPlugin): Promise<void> {
    const { cell } = plugin;
    if (!cell) return;
    plugin.cell = undefined;
    this.catalogue.remove(plugin.id);
    for (const door of this.doors) await door.close(plugin.id);
    await cell.close();
  }
}

/** Of two plugins with one id, the one that was found first has it. */
function settleConflicts(plugins: readonly KnownPlugin[]): void {
  const holders = new Map<string, KnownPlugin>();
  for (const plugin of plugins) {
    if (!plugin.manifest) continue;
    const holder = holders.get(plugin.id);
    if (!holder) {
      holders.set(plugin.id, plugin);
      if (plugin.state === 'conflict') Object.assign(plugin, { state: 'valid', reason: undefined });
      continue;
    }
    const reason = `The package in ${holder.found.folder} has the id "${plugin.id}" already: change one, or remove one.`;
    Object.assign(plugin, { state: 'conflict', reason });
  }
}
