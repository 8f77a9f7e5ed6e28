import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { JobWorker } from '#kernel/queue/job-worker.js';
import { Queues } from '#kernel/queue/queues.js';
import { DeliveryContextFactory } from '../context/delivery-context.factory.js';
import type { ReadyPlugin } from '../host/plugin.registry.js';
import type { PluginSurface } from './plugin-surface.js';
import { JobDispatcher } from '../jobs/job.dispatcher.js';
import { PayloadLoaders } from '../jobs/payload.loaders.js';
import { JobStore } from '../jobs/job.store.js';
import type { JobMessage } from '../jobs/plugin-job.js';
import { PluginMetrics } from '../jobs/plugin-metrics.js';
import { toQueueName } from '../jobs/plugin-queues.js';
import { PluginWorker, type WorkerDependencies } from '../jobs/plugin-worker.js';

/** Runs a worker for each plugin that has jobs, events or webhooks, in the roles `all` and `worker`. */
@Injectable()
export class JobWorkers implements PluginSurface {
  private readonly workers = new Map<string, JobWorker<JobMessage>>();
  private readonly dependencies: WorkerDependencies;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly queues: Queues,
    private readonly dispatcher: JobDispatcher,
    store: JobStore,
    payloads: PayloadLoaders,
    contexts: DeliveryContextFactory,
    metrics: PluginMetrics,
  ) {
    this.dependencies = { store, payloads, contexts, dispatcher, metrics };
  }

  async open(plugin: ReadyPlugin): Promise<void> {
    const concurrency = PluginWorker.computeConcurrency(plugin);
    if (this.env.role !== 'api' && concurrency > 0) {
      const worker = new PluginWorker(plugin, this.dependencies);
      this.workers.set(plugin.id, await this.queues.openWorker(toQueueName(plugin.id), worker, concurrency));
    }
    this.dispatcher.wake();
  }

  /** Waits for running jobs, in bounded time. */
  async close(id: string): Promise<void> {
    const worker = this.workers.get(id);
    if (!worker) return;
    this.workers.delete(id);
    await this.queues.closeWorker(worker);
  }
}
