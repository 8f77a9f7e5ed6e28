import { Inject, Injectable } from '@nestjs/common';
import { type PollOutcome, WakeablePoller } from '#kernel/scheduling/wakeable-poller.js';
import { PluginRegistry } from '../host/plugin.registry.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions } from './job.options.js';
import { JobStore } from './job.store.js';
import { PluginQueues } from './plugin-queues.js';

const BUSY_RETRY_MS = 50;
const MAX_POLL_DELAY_MS = 4_000;

/**
 * Carries waiting jobs from the database to the queues of their plugins: of each workspace only a few at a time, so
 * that a thousand jobs of one do not stand before the first of another. Woken by each commit of its own process, and
 * looks by itself every second; while the queues are away the jobs stay where they are.
 */
@Injectable()
export class JobDispatcher extends WakeablePoller {
  constructor(
    private readonly store: JobStore,
    private readonly queues: PluginQueues,
    private readonly registry: PluginRegistry,
    @Inject(PLUGIN_JOB_OPTIONS) private readonly settings: PluginJobOptions,
  ) {
    const { pollIntervalMs: intervalMs } = settings;
    const failureMessage = 'Jobs of plugins wait in the database';
    super({ intervalMs, maxBackoffMs: MAX_POLL_DELAY_MS, loggerName: 'plugins', failureMessage });
  }

  /** Hands out one batch. */
  protected async run(): Promise<PollOutcome> {
    const plugins = this.registry.listReady().map(({ id }) => id);
    if (plugins.length === 0) return { processedCount: 0, hasMore: false, delayMs: 0 };
    const { maxQueuedPerWorkspace, batchSize } = this.settings;
    const taken = await this.store.claim({ plugins, perWorkspace: maxQueuedPerWorkspace, limit: batchSize }, all =>
      this.queues.add(all),
    );
    if (taken === 'busy') return { processedCount: 0, hasMore: true, delayMs: BUSY_RETRY_MS };
    return { processedCount: taken, hasMore: taken === batchSize, delayMs: 0 };
  }
}
