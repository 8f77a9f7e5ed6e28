import { Inject, Injectable } from '@nestjs/common';
import { PLANS } from '#domain/plans/tiers.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { PluginRegistry } from '../host/plugin.registry.js';
import { JobDispatcher } from './job.dispatcher.js';
import { PLUGIN_JOB_OPTIONS, type PluginJobOptions } from './job.options.js';
import { JobStore } from './job.store.js';

const BATCH_SIZE = 5_000;

/** Re-queues jobs that were queued long ago and never finished, because the queues may have been wiped. */
@Injectable()
export class LostJobRequeuer extends PeriodicTask {
  constructor(
    private readonly store: JobStore,
    private readonly dispatcher: JobDispatcher,
    @Inject(PLUGIN_JOB_OPTIONS) private readonly options: PluginJobOptions,
  ) {
    super({
      intervalMs: options.requeueIntervalMs,
      loggerName: 'plugins',
      failureMessage: 'Lost jobs cannot be re-queued',
    });
  }

  protected async run(): Promise<void> {
    if ((await this.store.requeueOverdue(this.options.lostAfterMs, BATCH_SIZE)) > 0) this.dispatcher.wake();
  }
}

/** Releases held jobs of workspaces whose plan was upgraded to one that includes the plugin. */
@Injectable()
export class HeldJobReleaser extends PeriodicTask {
  constructor(
    private readonly store: JobStore,
    private readonly dispatcher: JobDispatcher,
    private readonly registry: PluginRegistry,
    @Inject(PLUGIN_JOB_OPTIONS) { releaseIntervalMs: intervalMs }: PluginJobOptions,
  ) {
    super({
      intervalMs,
      loggerName: 'plugins',
      failureMessage: 'Held jobs cannot be released',
    });
  }

  protected async run(): Promise<void> {
    const includedPlans = this.registry.listReady().flatMap(({ id: plugin, manifest: { minPlan } }) => {
      const included = PLANS.filter(plan => PlanGate.isAllowed(plan, minPlan));
      return included.map(plan => ({ plugin, plan }));
    });
    if (includedPlans.length > 0 && (await this.store.releaseHeld(includedPlans, BATCH_SIZE)) > 0)
      this.dispatcher.wake();
  }
}
