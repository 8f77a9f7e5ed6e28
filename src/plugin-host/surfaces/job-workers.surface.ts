import { type DynamicModule, Inject, Injectable } from '@nestjs/common';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { HubWorker } from '#kernel/queue/hub-worker.js';
import { QueueServer } from '#kernel/queue/queue-server.js';
import { DeliveryContextFactory } from '../context/delivery-context.factory.js';
import type { ReadyPlugin } from '../host/plugin.registry.js';
import type { PluginSurface } from './plugin-surface.js';
import { JobDispatcher } from '../jobs/job.dispatcher.js';
import { PayloadLoaders } from '../jobs/plugin-job.js';
import { JobStore } from '../jobs/job.store.js';
import { computeConcurrency } from '../jobs/job.options.js';
import { RunExecutor } from '../runs/run.executor.js';
import { PluginMetrics } from '../jobs/plugin-metrics.js';
import { PluginProcessor, PluginQueueModule, pluginQueueToken, PluginQueues } from '../jobs/plugin-queue.module.js';
import { PluginWorker, type WorkerDependencies } from '../jobs/plugin-worker.js';

/**
 * Opens a queue for each plugin that has jobs, events or webhooks, and a worker in the roles `all` and `worker`. Both
 * belong to the plugin's container.
 */
@Injectable()
export class JobWorkers implements PluginSurface {
  private readonly workers = new Map<string, HubWorker>();
  private readonly dependencies: WorkerDependencies;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly server: QueueServer,
    private readonly queues: PluginQueues,
    private readonly dispatcher: JobDispatcher,
    store: JobStore,
    payloads: PayloadLoaders,
    contexts: DeliveryContextFactory,
    metrics: PluginMetrics,
    runs: RunExecutor,
  ) {
    this.dependencies = { store, payloads, contexts, dispatcher, metrics, runs };
  }

  listModules(manifest: PluginManifest): readonly DynamicModule[] {
    if (computeConcurrency(manifest) === 0) return [];
    return [PluginQueueModule.forPlugin(manifest, this.server, this.runsJobs)];
  }

  async open(plugin: ReadyPlugin): Promise<void> {
    if (computeConcurrency(plugin.manifest) === 0) return;
    const queue = plugin.container.resolve(pluginQueueToken(plugin.id));
    await queue.whenUsable();
    if (this.runsJobs) {
      const processor = plugin.container.resolve(PluginProcessor);
      this.workers.set(plugin.id, processor.hubWorker);
      await processor.start(new PluginWorker(plugin, this.dependencies));
    }
    this.queues.set(plugin.id, queue);
    this.dispatcher.wake();
  }

  /** Waits for running jobs, in bounded time. */
  async close(id: string): Promise<void> {
    this.queues.delete(id);
    const worker = this.workers.get(id);
    if (!worker) return;
    this.workers.delete(id);
    this.server.removeStarted(worker);
    await worker.close();
  }

  private get runsJobs(): boolean {
    return this.env.role !== 'api';
  }
}
