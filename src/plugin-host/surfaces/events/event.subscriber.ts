import { v5 as uuidv5 } from 'uuid';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { Batcher } from '#kernel/db/batcher.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptionRegistry } from '#kernel/events/event-subscription.registry.js';
import { type EnabledPlugin, filterConsumers, PluginRegistry } from '../../host/plugin.registry.js';
import { type PluginUsage, PluginUsageService } from '../../host/plugin-usage.service.js';
import type { NewPluginJob } from '../../jobs/plugin-job.js';
import { enqueueJobs } from '../../jobs/job.emitter.js';
import { JobDispatcher } from '../../jobs/job.dispatcher.js';
import { PluginMetrics } from '../../jobs/plugin-metrics.js';

/**
 * Maps internal events to the public plugin events. A transaction writes few events with many facts; the event
 * catalogue of the SDK has more types with one fact each. The graph implements it; the composition root binds it.
 */
export abstract class PluginEventMapper {
  /** Returns the public event types that an event maps to. Must be cheap: it is called for every event. */
  abstract eventTypesFor(event: HubEvent): readonly string[];

  /** Returns the public events of the types for which `isConsumed` is true. Their IDs are the same at every call. */
  abstract map(
    tx: Tx,
    events: readonly HubEvent[],
    isConsumed: (type: string) => boolean,
  ): Promise<readonly HubEvent[]>;
}

/**
 * Namespace of job IDs, which are derived from the event IDs and the plugin ID, so that a redelivery yields the same
 * job.
 */
const DELIVERY_ID_NAMESPACE = '6b1f6a52-3f0e-4c57-9d7c-0a5d2c5f6e21';
const MAX_BATCH_EVENTS = 100;

/**
 * Returns the jobs that deliver events to each connection of a plugin: one job per event, or one per batch of up to 100 events for a
 * batched handler. While a plugin cannot be started, its handlers are unknown; then events of one type share a job,
 * which a handler that is not batched receives event by event.
 */
export function toEventJobs(
  plugin: EnabledPlugin,
  { connectionIds }: PluginUsage,
  events: readonly HubEvent[],
): NewPluginJob[] {
  return connectionIds.flatMap(connectionId => toJobsOfConnection(plugin, connectionId, events));
}

function toJobsOfConnection(
  plugin: EnabledPlugin,
  connectionId: string | null,
  events: readonly HubEvent[],
): NewPluginJob[] {
  // The only connection may be replaced between two deliveries of an event; of several, each has a job of its own.
  const recipient = plugin.manifest.multipleConnections ? `${plugin.id} ${connectionId}` : plugin.id;
  const batchKeys = batchKeysByType(plugin);
  const groups = Map.groupBy(events, ({ id, type }) => batchKeys.get(type) ?? id).values();
  return [...groups].flatMap(splitIntoBatches).map(batch => {
    const [first] = batch;
    const payload = batch.map(({ id, type, payload, occurredAt }) => ({ id, type, payload, occurredAt }));
    return {
      plugin: plugin.id,
      kind: 'event',
      name: first!.type,
      payload: batchKeys.has(first!.type) ? payload : payload[0],
      connectionId,
      id: uuidv5(`${batch.map(({ id }) => id).join()} ${recipient}`, DELIVERY_ID_NAMESPACE),
    };
  });
}

/** Returns, by event type, the key of the batch that its events belong to. */
function batchKeysByType({ container, manifest }: EnabledPlugin): ReadonlyMap<string, string> {
  if (!container) return new Map(manifest.consumes?.map(type => [type, type]));
  return new Map(container.handlers.events.filter(({ batched }) => batched).map(({ name, where }) => [name, where]));
}

function splitIntoBatches(events: readonly HubEvent[]): (readonly HubEvent[])[] {
  const count = Math.ceil(events.length / MAX_BATCH_EVENTS);
  return Array.from({ length: count }, (_, n) => events.slice(n * MAX_BATCH_EVENTS, (n + 1) * MAX_BATCH_EVENTS));
}

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
