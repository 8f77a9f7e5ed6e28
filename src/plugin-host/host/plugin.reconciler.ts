import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { ReadinessService } from '#kernel/http/shutdown.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { captureUnhandledErrors } from '../container/current-plugin.js';
import { discoverPlugins } from './discover-plugins.js';
import { DesiredState } from './plugin-record.js';
import { PluginRegistry } from './plugin.registry.js';
import type { PluginSurface } from '../surfaces/plugin-surface.js';
import { passOnGenerations } from './module-generations.js';
import { PluginLoader } from './plugin-loader.js';
import { publishStatus, readDesiredState } from './desired-state.queries.js';

/** Injection token of the surfaces, in the order in which they are opened. */
export const PLUGIN_SURFACES = Symbol.for('rapport:plugin-surfaces');

/** How often the desired state is read. */
const RECONCILE_INTERVAL_MS = 2_000;
const STATUS_INTERVAL_MS = 30_000;

/**
 * Discovers and starts the plugins, and applies the desired state of operators while the hub runs. A plugin that fails
 * at its start does not keep the hub from starting.
 */
@Injectable()
export class PluginReconciler extends PeriodicTask {
  private readonly processName = `${hostname()}:${process.pid}:${newId().slice(-8)}`;
  private readonly loader: PluginLoader;
  private stopCapturing: () => void = () => undefined;
  private stopPassingOn: () => void = () => undefined;
  private appliedState = '';
  private statusPublishedAtMs = -Infinity;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly work: UnitOfWork,
    private readonly registry: PluginRegistry,
    private readonly probes: ReadinessService,
    @Inject(PLUGIN_SURFACES) surfaces: readonly PluginSurface[],
  ) {
    super({
      intervalMs: RECONCILE_INTERVAL_MS,
      loggerName: 'plugins',
      failureMessage: 'The desired state of plugins cannot be applied',
    });
    this.loader = new PluginLoader(registry, surfaces, env.pluginIsolation);
  }

  override async onApplicationBootstrap(): Promise<void> {
    this.stopCapturing = captureUnhandledErrors();
    this.stopPassingOn = passOnGenerations();
    this.probes.addDetail('plugins', () => this.pluginStates());
    await this.reconcile();
    await super.onApplicationBootstrap();
  }

  /** Waits for running handlers and closes all containers, in bounded time. */
  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    await this.loader.close();
    await publishStatus(this.work, this.processName, []).catch(() => undefined);
    this.stopCapturing();
    this.stopPassingOn();
  }

  /** Applies the desired state now, or waits for a reconciliation that is already running. Never rejects. */
  reconcile(): Promise<void> {
    return this.runNow();
  }

  protected async run(): Promise<void> {
    const desired = new DesiredState(await readDesiredState(this.work));
    const changed = desired.toString() !== this.appliedState;
    if (changed) {
      const searchPaths = { dir: this.env.pluginsDir, packages: this.env.pluginPackages };
      await this.loader.apply(await discoverPlugins(searchPaths), desired);
      this.appliedState = desired.toString();
    }
    const retried = await this.loader.retrySlowStarts();
    if (changed || retried || performance.now() - this.statusPublishedAtMs > STATUS_INTERVAL_MS) await this.publish();
  }

  /** Returns the states by plugin ID for the readiness endpoint; of two plugins with one ID, the first one counts. */
  private pluginStates(): Record<string, string> | undefined {
    const states = this.registry.list().toReversed();
    return states.length === 0 ? undefined : Object.fromEntries(states.map(({ id, state }) => [id, state]));
  }

  private async publish(): Promise<void> {
    await publishStatus(this.work, this.processName, this.registry.list());
    this.statusPublishedAtMs = performance.now();
  }
}
