import { Inject, Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { RETENTION_KINDS, type RetentionKind } from '#domain/retention/retention.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';
import { HUB_ACTOR, recordAct } from '#kernel/audit/audit-log.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { REMOVALS, addRemoved, claimRun, finishRun, readRetention } from './retention.queries.js';

const CHECK_INTERVAL_MS = 10 * 60_000;
/** Hour of the day in UTC, from which runs may start. */
const START_HOUR_UTC = 2;

/**
 * Removes what a workspace no longer keeps, every night. Any number of processes may run it: a process claims the day of
 * a workspace, and after a crash another one goes on. Each batch is a transaction that also counts what it removed.
 */
@Injectable()
export class RetentionJob extends PeriodicTask {
  private readonly log = new Logger('retention');
  private readonly removedTotal: Counter<'kind'>;
  private readonly runsTotal: Counter;
  private stopping = false;

  constructor(
    private readonly work: UnitOfWork,
    @Inject(ENV) private readonly env: Env,
    @Inject(METRICS) registry: Registry,
  ) {
    super({ intervalMs: CHECK_INTERVAL_MS, loggerName: 'retention', failureMessage: 'Retention cannot be applied' });
    this.removedTotal = new Counter({
      name: 'rapport_retention_removed_total',
      help: 'Rows that retention has removed, by kind',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.runsTotal = new Counter({
      name: 'rapport_retention_runs_total',
      help: 'Finished nightly runs of retention, one per workspace and night',
      registers: [registry],
    });
  }

  override async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await super.onApplicationShutdown();
  }

  /** Applies the retention of every workspace that has no finished run on this day. @param day YYYY-MM-DD */
  async applyAll(day: string): Promise<void> {
    for (const { id } of await listWorkspaces(this.work)) {
      if (this.stopping) return;
      const startedAt = await this.work.run(id, tx => claimRun(tx, day));
      if (startedAt !== undefined) await this.apply(id, day, startedAt);
    }
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  protected async run(): Promise<void> {
    const now = new Date();
    if (now.getUTCHours() >= START_HOUR_UTC) await this.applyAll(now.toISOString().slice(0, 10));
  }

  private async apply(workspace: string, day: string, startedAt: Instant): Promise<void> {
    const { days } = await this.work.run(workspace, readRetention);
    for (const kind of RETENTION_KINDS) {
      const limit = days[kind];
      if (limit !== null && !(await this.removeAll(workspace, day, kind, startedAt - limit * DAY_US))) return;
    }
    const removed = await this.work.run(workspace, async tx => {
      const counts = await finishRun(tx, day);
      if (Object.keys(counts).length > 0)
        recordAct(tx, { action: 'retention.apply', objectId: null, after: counts, actor: HUB_ACTOR });
      return counts;
    });
    this.runsTotal.inc();
    if (Object.keys(removed).length > 0) this.log.log({ msg: 'retention applied', workspace_id: workspace, removed });
  }

  /** @returns false if the process stops before everything was removed. */
  private async removeAll(workspace: string, day: string, kind: RetentionKind, before: Instant): Promise<boolean> {
    for (let hasMore = true; hasMore;) {
      if (this.stopping) return false;
      const batch = await this.work.erase(workspace, async tx => {
        const removed = await REMOVALS[kind](tx, before);
        if (removed.removed > 0 || removed.hasMore) addRemoved(tx, day, kind, removed.removed);
        return removed;
      });
      this.removedTotal.inc({ kind }, batch.removed);
      hasMore = batch.hasMore;
    }
    return true;
  }
}
