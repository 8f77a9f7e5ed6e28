import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { JobWorker } from '#kernel/queue/job.worker.js';
import { Queues } from '#kernel/queue/queues.js';
import { DeliveryContexts } from '../delivery-contexts.js';
import type { ReadyPlugin } from '../plugin-catalogue.js';
import type { PluginDoor } from '../plugin-door.js';
import { JobDispatcher } from './job-dispatcher.js';
import { JobReaders } from './job-readers.js';
import { JobStore } from './job-store.js';
import type { JobTicket } from './plugin-job.js';
import { PluginMetrics } from './plugin-metrics.js';
import { queueName } from './plugin-queues.js';
import { PluginWorker, type WorkerParts } from './plugin-worker.js';

/** Has the jobs of every plugin done that has any, in the roles `all` and `worker`. */
@Injectable()
export class JobsDoor implements PluginDoor {
  private readonly workers = new Map<string, JobWorker<JobTicket>>();
  private readonly parts: WorkerParts;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly queues: Queues,
    private readonly dispatcher: JobDispatcher,
    store: JobStore,
    readers: JobReaders,
    contexts: DeliveryContexts,
    metrics: PluginMetrics,
  ) {
    this.parts = { store, readers, contexts, dispatcher, metrics };
  }

  async open(plugin: ReadyPlugin): Promise<void> {
    const concurrency = PluginWorker.concurrencyOf(plugin);
    if (this.env.role !== 'api' && concurrency > 0) {
      const worker = new PluginWorker(plugin, this.parts);
      this.workers.set(plugin.id, await this.queues.worker(queueName(plugin.id), worker, concurrency));
    }
    this.dispatcher.wake();
  }

  /** Finishes the jobs at hand, in bounded time. */
  async close(id: string): Promise<void> {
    const worker = this.workers.get(id);
    if (!worker) return;
    this.workers.delete(id);
    await this.queues.retire(worker);
  }
}
