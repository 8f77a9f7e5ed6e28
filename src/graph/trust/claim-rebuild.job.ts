import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { ClaimsService } from '../claims/claims.service.js';
import { RulesCache } from '../claims/rules.cache.js';
import { rebuildPage } from '../observations/claim-rebuild.js';
import { advanceRebuild, lockRebuild } from './trust.queries.js';

const CHECK_INTERVAL_MS = 5_000;

/**
 * Rebuilds the claims of workspaces whose trust settings changed. Progress is stored per page, so any process can
 * resume a rebuild, and no two work on one workspace at once.
 */
@Injectable()
export class ClaimRebuildJob extends PeriodicTask {
  private stopping = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly claims: ClaimsService,
    private readonly rules: RulesCache,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({ intervalMs: CHECK_INTERVAL_MS, loggerName: 'claims', failureMessage: 'Claims cannot be rebuilt' });
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  override async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await super.onApplicationShutdown();
  }

  protected run(): Promise<void> {
    return this.rebuildDue();
  }

  /** Runs every due rebuild to its end, or until the process stops. */
  async rebuildDue(): Promise<void> {
    const due = await this.work.system(tx =>
      tx.query<{ workspace_id: string }>(
        'SELECT workspace_id FROM claim_rebuilds WHERE finished_at IS NULL AND due_at <= clock_timestamp()',
      ),
    );
    for (const { workspace_id } of due) {
      await this.rules.refresh(workspace_id);
      while (!this.stopping && (await this.rebuildNextPage(workspace_id)));
    }
  }

  /** Rebuilds one page. @returns whether pages are left. */
  private rebuildNextPage(workspace: string): Promise<boolean> {
    return this.work.run(workspace, async tx => {
      const rebuild = await lockRebuild(tx);
      if (!rebuild || this.rules.get(workspace).version < rebuild.version) return false;
      const step = await rebuildPage(tx, this.claims, rebuild.cursor ?? null);
      await advanceRebuild(tx, rebuild, step);
      return step.last !== null;
    });
  }
}
