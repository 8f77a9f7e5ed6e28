import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Batcher } from '#kernel/db/batcher.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptionRegistry } from '#kernel/events/event-subscription.registry.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { filterConsumers, type EnabledPlugin, PluginRegistry } from '../../host/plugin.registry.js';
import { type PluginUsage, PluginUsageService } from '../../host/plugin-usage.service.js';
import { toEventJobs } from './event-jobs.js';
import { enqueueJobs } from '../../jobs/enqueue-jobs.js';
import { JobDispatcher } from '../../jobs/job.dispatcher.js';
import { PluginMetrics } from '../../jobs/plugin-metrics.js';
import { PluginEventMapper } from './plugin-event.mapper.js';

const BATCH_LIMITS = { maxConcurrent: 1, maxBatch: 200, maxWeight: 1_000, lingerMs: 2, timeoutMs: 10_000 };

/**
 * Enqueues each event of the hub for every plugin that consumes it and that the workspace uses. Each plugin has a queue
 * of its own, so a slow plugin does not delay others, and a plugin that cannot be started receives its events later.
 */
@Injectable()
export class EventSubscriber implements OnModuleInit {
  private readonly batcher: Batcher<HubEvent, void>;

  constructor(
    work: UnitOfWork,
    private readonly subscriptions: EventSubscriptionRegistry,
    private readonly registry: PluginRegistry,
    private readonly usages: PluginUsageService,
    private readonly dispatcher: JobDispatcher,
    private readonly metrics: PluginMetrics,
    private readonly mapper: PluginEventMapper,
  ) {
    this.batcher = new Batcher(async (workspace, events, options) => {
      const plugins = await this.settledPlugins();
      return work.run(workspace, tx => this.enqueue(tx, events, plugins), options);
    }, BATCH_LIMITS);
  }

  onModuleInit(): void {
    this.subscriptions.subscribe('*', 'plugins', event => this.handle(event));
  }

  private async handle(event: HubEvent): Promise<void> {
    const plugins = await this.settledPlugins();
    const consumers = this.mapper.eventTypesFor(event).flatMap(type => filterConsumers(plugins, type));
    if (consumers.length === 0) return;
    await this.batcher.submit(event.workspaceId, event, consumers.length);
    this.dispatcher.wake();
  }

  /** Waits until plugins have been started, because an event without known consumers would be lost. */
  private async settledPlugins(): Promise<readonly EnabledPlugin[]> {
    await this.registry.whenSettled();
    return this.registry.listExpected();
  }

  private async enqueue(
    tx: Tx,
    events: readonly HubEvent[],
    plugins: readonly EnabledPlugin[],
  ): Promise<{ result: void }[]> {
    const pluginEvents = await this.mapper.map(tx, events, type => filterConsumers(plugins, type).length > 0);
    const consumers = new Set(pluginEvents.flatMap(({ type }) => filterConsumers(plugins, type)));
    for (const plugin of consumers) {
      const usage = await this.findUsage(tx, plugin);
      const consumed = pluginEvents.filter(({ type }) => plugin.manifest.consumes?.includes(type));
      if (usage) enqueueJobs(tx, toEventJobs(plugin, usage, consumed));
    }
    return events.map(() => ({ result: undefined }));
  }

  /**
   * Returns undefined if the workspace does not use the plugin, or if its plan does not include it, which is counted.
   */
  private async findUsage(tx: Tx, plugin: EnabledPlugin): Promise<PluginUsage | undefined> {
    const usage = await this.usages.findUsage(tx, plugin);
    if (usage !== 'locked') return usage;
    this.metrics.countOutcome(plugin.id, 'held');
    return undefined;
  }
}
