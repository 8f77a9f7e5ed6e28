import { Logger } from '@nestjs/common';
import type { PluginIsolation } from '#kernel/config/env.js';
import { TimeoutError } from '#kernel/scheduling/timeout.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { type PluginContainer, startPlugin } from '../container/plugin-container.js';
import { readManifestApart, startIsolatedPlugin } from '../isolation/plugin-process.js';
import { type DiscoveredPackage, isBundled, readManifest } from './discover-plugins.js';
import { toExpectedPlugins, type PluginRecord, toPluginInfo, type DesiredState } from './plugin-record.js';
import { PluginRegistry, PluginsClosedError } from './plugin.registry.js';
import type { PluginSurface } from '../surfaces/plugin-surface.js';

/** Pause before a start that took too long is repeated, in milliseconds; doubled each time. */
const RETRY_START_MS = 2_000;
const MAX_RETRY_START_MS = 600_000;

/** Loads and unloads plugins. A failure is recorded on its plugin and does not affect the others. */
export class PluginLoader {
  private readonly log = new Logger('plugins');
  private records: readonly PluginRecord[] = [];
  private importCount = 0;

  constructor(
    private readonly registry: PluginRegistry,
    private readonly surfaces: readonly PluginSurface[],
    private readonly isolation: PluginIsolation,
  ) {}

  /** Applies the desired state to the discovered packages. Plugins that match it already are not touched. */
  apply(found: readonly DiscoveredPackage[], desired: DesiredState): Promise<void> {
    const applied = this.applyChanges(found, desired);
    this.registry.beginChange(applied);
    return applied;
  }

  /** Starts plugins again whose start took too long, when their time has come. @returns whether there were any */
  async retrySlowStarts(): Promise<boolean> {
    const due = this.records.filter(({ retryAtMs }) => retryAtMs !== undefined && retryAtMs <= performance.now());
    if (due.length === 0) return false;
    const retried = this.retry(due);
    this.registry.beginChange(retried);
    await retried;
    return true;
  }

  private async retry(plugins: readonly PluginRecord[]): Promise<void> {
    await Promise.all(plugins.map(plugin => this.load(plugin)));
    this.registry.setListing(this.records.map(toPluginInfo));
  }

  /** Unloads all plugins, in bounded time. */
  async close(): Promise<void> {
    this.registry.beginChange(Promise.reject(new PluginsClosedError()));
    await Promise.all(this.records.map(plugin => this.unload(plugin)));
  }

  private async applyChanges(found: readonly DiscoveredPackage[], desired: DesiredState): Promise<void> {
    const resolved = await Promise.all(found.map(each => this.resolve(each, desired)));
    markConflicts(resolved);
    const next = await Promise.all(resolved.map(each => this.startBeside(each, desired)));
    const removed = this.records.filter(plugin => !next.includes(plugin));
    this.records = next;
    this.registry.setExpected(toExpectedPlugins(next, desired));
    await Promise.all(removed.map(plugin => this.unload(plugin)));
    await Promise.all(next.map(plugin => this.ensure(plugin, desired)));
    this.registry.setListing(next.map(toPluginInfo));
  }

  /** Returns the existing record, or reads the manifest if the package is new or a new generation is requested. */
  private async resolve(discovered: DiscoveredPackage, desired: DesiredState): Promise<PluginRecord> {
    const previous = this.records.find(plugin => plugin.discovered.folder === discovered.folder);
    if (previous && previous.generation === desired.generation(previous.id)) return previous;
    const result = this.isIsolated(discovered)
      ? await readManifestApart(discovered)
      : await readManifest(discovered, previous ? ++this.importCount : 0);
    const manifest = result.state === 'valid' ? result.manifest : undefined;
    const identity = result.state === 'valid' ? { id: result.manifest.id, reason: undefined } : result;
    const id = identity.id ?? discovered.name;
    const generation = desired.generation(id);
    const lastManifest = manifest ?? previous?.lastManifest;
    return {
      discovered,
      id,
      generation,
      manifest,
      lastManifest,
      state: result.state,
      reason: identity.reason,
      container: undefined,
      slowStarts: 0,
      retryAtMs: undefined,
    };
  }

  /**
   * Starts a new generation of a running plugin while the old one still runs. If it cannot be started, the old one goes on
   * with the reason, so that no plugin stops because of a faulty new version.
   * @returns the plugin to run
   */
  private async startBeside(plugin: PluginRecord, desired: DesiredState): Promise<PluginRecord> {
    const running = this.records.find(each => each.container && each.discovered.folder === plugin.discovered.folder);
    if (!running || running === plugin || !desired.isEnabled(plugin.id)) return plugin;
    const { version } = plugin.discovered;
    if (plugin.state === 'valid' && plugin.id !== running.id) return plugin;
    try {
      if (plugin.state !== 'valid') throw new Error(plugin.reason);
      plugin.container = await this.startContainer(plugin, ++this.importCount);
      return plugin;
    } catch (error) {
      running.generation = desired.generation(running.id);
      running.reason = `Version ${version} was refused, so version ${running.discovered.version} goes on: ${errorMessage(error)}`;
      this.log.warn(`The plugin "${running.id}": ${running.reason}`);
      return running;
    }
  }

  private startContainer({ discovered, manifest }: PluginRecord, generation: number): Promise<PluginContainer> {
    const hubModules = this.surfaces.flatMap(surface => surface.listModules?.(manifest!) ?? []);
    return this.isIsolated(discovered)
      ? startIsolatedPlugin(manifest!, discovered, hubModules)
      : startPlugin(manifest!, discovered.entryUrl!, generation, hubModules);
  }

  private isIsolated(discovered: DiscoveredPackage): boolean {
    return this.isolation === 'process' && !isBundled(discovered);
  }

  private async ensure(plugin: PluginRecord, desired: DesiredState): Promise<void> {
    if (!plugin.manifest || plugin.state === 'conflict') return this.unload(plugin);
    if (!desired.isEnabled(plugin.id)) {
      await this.unload(plugin);
      Object.assign(plugin, { state: 'disabled', retryAtMs: undefined });
      plugin.reason = `An operator has disabled it: rapport admin plugins enable ${plugin.id}.`;
    } else if (plugin.state === 'valid' || plugin.state === 'disabled') {
      await this.load(plugin);
    }
  }

  private async load(plugin: PluginRecord): Promise<void> {
    const { discovered, id, manifest } = plugin;
    try {
      const isAgain = plugin.generation > 0 || plugin.state === 'disabled' || plugin.slowStarts > 0;
      const container = plugin.container ?? (await this.startContainer(plugin, isAgain ? ++this.importCount : 0));
      Object.assign(plugin, { container, state: 'loaded', reason: undefined });
      const ready = { id, version: discovered.version, manifest: manifest!, container };
      this.registry.add(ready);
      for (const surface of this.surfaces) await surface.open(ready);
      Object.assign(plugin, { state: 'ready', slowStarts: 0, retryAtMs: undefined });
    } catch (error) {
      await this.unload(plugin);
      Object.assign(plugin, { state: 'failed', reason: errorMessage(error), retryAtMs: undefined });
      if (error instanceof TimeoutError) {
        const pauseMs = Math.min(RETRY_START_MS * 2 ** plugin.slowStarts++, MAX_RETRY_START_MS);
        plugin.retryAtMs = performance.now() + pauseMs;
        plugin.reason += `; it is started again in ${pauseMs / 1000} s`;
      }
      this.log.warn(`The plugin "${id}" is left out: ${plugin.reason}`);
    }
  }

  private async unload(plugin: PluginRecord): Promise<void> {
    const { container } = plugin;
    if (!container) return;
    plugin.container = undefined;
    this.registry.remove(plugin.id);
    for (const surface of this.surfaces) await surface.close(plugin.id);
    await container.close();
  }
}

/** Marks plugins whose ID another plugin has that was discovered earlier. */
function markConflicts(plugins: readonly PluginRecord[]): void {
  const holders = new Map<string, PluginRecord>();
  for (const plugin of plugins) {
    if (!plugin.manifest) continue;
    const holder = holders.get(plugin.id);
    if (!holder) {
      holders.set(plugin.id, plugin);
      if (plugin.state === 'conflict') Object.assign(plugin, { state: 'valid', reason: undefined });
      continue;
    }
    const reason = `The package in ${holder.discovered.folder} has the id "${plugin.id}" already: change one of the ids, or remove one package.`;
    Object.assign(plugin, { state: 'conflict', reason });
  }
}
