import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v5 as uuidv5 } from 'uuid';
import { Coalescer } from '#kernel/db/coalescer.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptions } from '#kernel/events/event-subscriptions.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { PluginCatalogue, type ReadyPlugin } from '../plugin-catalogue.js';
import { type PluginUse, PluginUses } from '../plugin-uses.js';
import { insertJobs } from './insert-jobs.js';
import { JobDispatcher } from './job-dispatcher.js';
import type { NewPluginJob } from './plugin-job.js';
import { PluginMetrics } from './plugin-metrics.js';
import { ToldEvents } from './told-events.js';

/** Makes the id of a delivery out of the event's and the plugin's, so that a repeat is the same one. */
const DELIVERIES = '6b1f6a52-3f0e-4c57-9d7c-0a5d2c5f6e21';

const TOGETHER = { worthwhile: 100, lanes: 1, calls: 200, weight: 1_000, timeoutMs: 10_000 };

/**
 * Puts each event of the hub into the own queue of every plugin that consumes it and that the workspace uses, so that
 * a slow one delays nobody.
 */
@Injectable()
export class EventsDoor implements OnModuleInit {
  private readonly writes: Coalescer<HubEvent, void>;

  constructor(
    work: UnitOfWork,
    private readonly subscriptions: EventSubscriptions,
    private readonly catalogue: PluginCatalogue,
    private readonly uses: PluginUses,
    private readonly dispatcher: JobDispatcher,
    private readonly metrics: PluginMetrics,
    private readonly told: ToldEvents,
  ) {
    this.writes = new Coalescer(
      (workspace, events, terms) => work.run(workspace, tx => this.keep(tx, events), terms),
      TOGETHER,
    );
  }

  onModuleInit(): void {
    this.subscriptions.subscribe('*', 'plugins', event => this.take(event));
  }

  private async take(event: HubEvent): Promise<void> {
    const consumers = this.told.typesOf(event).flatMap(type => this.catalogue.consumersOf(type));
    if (consumers.length === 0) return;
    await this.writes.submit(event.workspaceId, event, consumers.length);
    this.dispatcher.wake();
  }

  private async keep(tx: Tx, events: readonly HubEvent[]): Promise<{ answer: void }[]> {
    const told = await this.told.tell(tx, events, type => this.catalogue.consumersOf(type).length > 0);
    const wanted = told.flatMap(event => this.catalogue.consumersOf(event.type).map(plugin => ({ event, plugin })));
    const users = new Map<ReadyPlugin, PluginUse | undefined>();
    for (const { plugin } of wanted) if (!users.has(plugin)) users.set(plugin, await this.useOf(tx, plugin));
    insertJobs(
      tx,
      wanted.flatMap(({ event, plugin }) => {
        const use = users.get(plugin);
        return use ? [deliveryOf(event, plugin, use)] : [];
      }),
    );
    return events.map(() => ({ answer: undefined }));
  }

  /** Undefined when the workspace does not use the plugin, or its plan does not include it. */
  private async useOf(tx: Tx, plugin: ReadyPlugin): Promise<PluginUse | undefined> {
    const use = await this.uses.of(tx, plugin);
    if (use !== 'locked') return use;
    this.metrics.ended(plugin.id, 'locked');
    return undefined;
  }
}

function deliveryOf(event: HubEvent, { id: plugin }: ReadyPlugin, { connectionId }: PluginUse): NewPluginJob {
  const { id, type, payload, occurredAt } = event;
  const delivered = { id, type, payload, occurredAt };
  return {
    plugin,
    kind: 'event',
    name: type,
    payload: delivered,
    connectionId,
    id: uuidv5(`${id} ${plugin}`, DELIVERIES),
  };
}
