import { Inject, Injectable } from '@nestjs/common';
import { PLANS } from '#domain/plans/tiers.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { Rounds } from '#kernel/rounds/rounds.js';
import { PluginCatalogue } from '../plugin-catalogue.js';
import { JobDispatcher } from './job-dispatcher.js';
import { JOB_SETTINGS, type JobSettings } from './job.settings.js';
import { JobStore } from './job-store.js';

const AT_ONCE = 5_000;

/** A plan may have been raised: what it had locked out goes on. */
@Injectable()
export class JobUnlocker extends Rounds {
  constructor(
    private readonly store: JobStore,
    private readonly dispatcher: JobDispatcher,
    private readonly catalogue: PluginCatalogue,
    @Inject(JOB_SETTINGS) { unlockEveryMs: everyMs }: JobSettings,
  ) {
    super({ everyMs, log: 'plugins', trouble: 'Jobs that a plan had locked out cannot be looked for' });
  }

  protected async round(): Promise<void> {
    const open = this.catalogue.allReady().flatMap(({ id: plugin, manifest: { minPlan } }) => {
      const included = PLANS.filter(plan => PlanGate.may(plan, minPlan));
      return included.map(plan => ({ plugin, plan }));
    });
    if (open.length > 0 && (await this.store.unlock(open, AT_ONCE)) > 0) this.dispatcher.wake();
  }
}
