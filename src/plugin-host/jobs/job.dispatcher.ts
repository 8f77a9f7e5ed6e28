import { Inject, Injectable } from '@nestjs/common';
import { type PollOutcome, WakeablePoller } from '#kernel/scheduling/wakeable-poller.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions } from './job.options.js';
import { JobStore } from './job.store.js';
import { PluginQueues } from './plugin-queue.module.js';

const BUSY_RETRY_MS = 50;
const MAX_POLL_DELAY_MS = 4_000;

/**
 * Moves waiting jobs from the database to the queues of their plugins. At most a few jobs per workspace are queued at a
 * time, so a workspace with many jobs does not delay others. Runs after each commit of this process that enqueues jobs,
 * and every second. While the queues are unavailable, jobs stay in the database.
 */
@Injectable()
export class JobDispatcher extends WakeablePoller {
  constructor(
    private readonly store: JobStore,
    private readonly queues: PluginQueues,
    @Inject(PLUGIN_JOB_OPTIONS) private readonly settings: PluginJobOptions,
  ) {
    const { pollIntervalMs: intervalMs } = settings;
    const failureMessage = 'Plugin jobs cannot be dispatched and wait in the database';
    super({ intervalMs, maxBackoffMs: MAX_POLL_DELAY_MS, loggerName: 'plugins', failureMessage });
  }

  /** Dispatches one batch. */
  protected async run(): Promise<PollOutcome> {
    const plugins = this.queues.listPlugins();
    if (plugins.length === 0) return { processedCount: 0, hasMore: false, delayMs: 0 };
    const { maxQueuedPerWorkspace, batchSize } = this.settings;
    const quota = { plugins, perWorkspace: maxQueuedPerWorkspace, limit: batchSize };
    const claimed = await this.store.claim(quota, messages => this.queues.add(messages));
    if (claimed === 'busy') return { processedCount: 0, hasMore: true, delayMs: BUSY_RETRY_MS };
    return { processedCount: claimed, hasMore: claimed === batchSize, delayMs: 0 };
  }
}
