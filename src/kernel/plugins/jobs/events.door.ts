import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Coalescer } from '#kernel/db/coalescer.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptions } from '#kernel/events/event-subscriptions.js';
import type { HubEvent } from '#kernel/events/hub-event.js';
import { consumersAmong, type ExpectedPlugin, PluginCatalogue } from '../plugin-catalogue.js';
import { type PluginUse, PluginUses } from '../plugin-uses.js';
import { jobsFor } from './event-jobs.js';
import { insertJobs } from './insert-jobs.js';
import { JobDispatcher } from './job-dispatcher.js';
import { PluginMetrics } from './plugin-metrics.js';
import { ToldEvents } from './told-events.js';

const TOGETHER = { worthwhile: 100, lanes: 1, calls: 200, weight: 1_000, timeoutMs: 10_000 };

/**
 * Puts each event of the hub into the own queue of every plugin that consumes it and that the workspace uses, so that
 * a slow one delays nobody, and one that cannot be opened finds everything when it can.
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
    this.writes = new Coalescer(async (workspace, events, terms) => {
      const plugins = await this.standing();
      return work.run(workspace, tx => this.keep(tx, events, plugins), terms);
    }, TOGETHER);
  }

  onModuleInit(): void {
    this.subscriptions.subscribe('*', 'plugins', event => this.take(event));
  }

  private async take(event: HubEvent): Promise<void> {
    const plugins = await this.standing();
    const consumers = this.told.typesOf(event).flatMap(type => consumersAmong(plugins, type));
    if (consumers.length === 0) return;
    await this.writes.submit(event.workspaceId, event, consumers.length);
    this.dispatcher.wake();
  }

  /** Waits for plugins that come up: an event of before the start would find nobody, and be gone. Those stay to the end. */
  private async standing(): Promise<readonly ExpectedPlugin[]> {
    await this.catalogue.standing();
    return this.catalogue.expected();
  }

  private async keep(
    tx: Tx,
    events: readonly HubEvent[],
    plugins: readonly ExpectedPlugin[],
  ): Promise<{ answer: void }[]> {
    const told = await this.told.tell(tx, events, type => consumersAmong(plugins, type).length > 0);
    const consumers = new Set(told.flatMap(({ type }) => consumersAmong(plugins, type)));
    for (const plugin of consumers) {
      const use = await this.useOf(tx, plugin);
      const wanted = told.filter(({ type }) => plugin.manifest.consumes?.includes(type));
      if (use) insertJobs(tx, jobsFor(plugin, use, wanted));
    }
    return events.map(() => ({ answer: undefined }));
  }

  /** Undefined when the workspace does not use the plugin, or its plan does not include it. */
  private async useOf(tx: Tx, plugin: ExpectedPlugin): Promise<PluginUse | undefined> {
    const use = await this.uses.of(tx, plugin);
    if (use !== 'locked') return use;
    this.metrics.ended(plugin.id, 'held');
    return undefined;
  }
}
