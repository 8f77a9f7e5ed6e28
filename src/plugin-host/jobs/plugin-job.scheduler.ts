import { Inject, Injectable } from '@nestjs/common';
import { type Plan, PLANS } from '#domain/plans/tiers.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { PluginRegistry } from '../host/plugin.registry.js';
import { JobDispatcher } from './job.dispatcher.js';

const POLL_INTERVAL_MS = 5_000;

/**
 * Claims the current period; returns no row if another process has claimed it. $1 plugin, $2 job, $3 period in
 * milliseconds.
 */
const CLAIM_SLOT = `
  INSERT INTO plugin_schedules (plugin, job, last_slot)
  VALUES ($1, $2, floor(extract(epoch FROM clock_timestamp()) * 1000 / $3))
  ON CONFLICT (plugin, job) DO UPDATE SET last_slot = excluded.last_slot
  WHERE plugin_schedules.last_slot < excluded.last_slot RETURNING last_slot`;

/**
 * Inserts one job per active connection of workspaces with one of the plans $4, spread over a tenth of the period. A
 * connection whose last job still exists is skipped. $1 plugin, $2 job, $3 period in milliseconds.
 */
const INSERT_JOB_PER_CONNECTION = `
  INSERT INTO plugin_jobs (workspace_id, id, plugin, kind, name, payload, connection_id, dedupe_key, run_at)
  SELECT workspace_id, gen_random_uuid(), $1, 'job', $2, 'null', id, 'every ' || $2 || ' ' || id,
         clock_timestamp() + make_interval(secs => random() * $3 / 10000)
  FROM connections WHERE plugin = $1 AND state IN ('connected', 'degraded')
    AND EXISTS (SELECT FROM workspaces WHERE workspaces.id = connections.workspace_id AND plan = ANY ($4))
  ON CONFLICT DO NOTHING`;

/** Enqueues scheduled jobs (`everyMs` in the manifest), in the roles `all` and `worker`. */
@Injectable()
export class PluginJobScheduler extends PeriodicTask {
  constructor(
    private readonly work: UnitOfWork,
    private readonly registry: PluginRegistry,
    private readonly dispatcher: JobDispatcher,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({
      intervalMs: POLL_INTERVAL_MS,
      loggerName: 'plugins',
      failureMessage: 'Scheduled jobs cannot be enqueued',
    });
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  /** Enqueues the jobs that are due. */
  protected async run(): Promise<void> {
    for (const { id, manifest } of this.registry.listReady()) {
      const plans = PLANS.filter(plan => PlanGate.isAllowed(plan, manifest.minPlan));
      for (const [name, { everyMs }] of Object.entries(manifest.jobs ?? {})) {
        if (everyMs !== undefined) await this.scheduleJob(id, name, everyMs, plans);
      }
    }
  }

  private async scheduleJob(plugin: string, name: string, everyMs: number, plans: readonly Plan[]): Promise<void> {
    await this.work.system(async tx => {
      const claimed = await tx.query(CLAIM_SLOT, [plugin, name, everyMs]);
      if (claimed.length > 0) await tx.query(INSERT_JOB_PER_CONNECTION, [plugin, name, everyMs, plans]);
    });
    this.dispatcher.wake();
  }
}
