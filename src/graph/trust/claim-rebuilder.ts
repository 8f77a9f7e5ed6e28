import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { ClaimsService } from '../claims/claims.service.js';
import { RULES_STALE_MS, RulesBook } from '../claims/rules-book.js';
import { rebuildPage } from '../observations/rebuild-claims.js';
import { advanceRebuild, holdRebuild } from './trust.queries.js';

/**
 * Folds the claims of workspaces anew whose trust has changed. Where it is stands in the database page by page, so any
 * process goes on with what another one has left, and no two work on one workspace at once.
 */
@Injectable()
export class ClaimRebuilder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('claims');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private ending = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly claims: ClaimsService,
    private readonly book: RulesBook,
    @Inject(ENV) private readonly env: Env,
  ) {}

  onApplicationBootstrap(): void {
    if (this.env.role === 'api') return;
    this.timer = setInterval(() => {
      this.running ??= this.rebuildDue()
        .catch(error => this.log.warn(String(error)))
        .finally(() => (this.running = undefined));
    }, RULES_STALE_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.ending = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Does every rebuild that is due to its end, unless the process ends before. */
  async rebuildDue(): Promise<void> {
    const due = await this.work.system(tx =>
      tx.query<{ workspace_id: string }>(
        'SELECT workspace_id FROM claim_rebuilds WHERE finished_at IS NULL AND due_at <= clock_timestamp()',
      ),
    );
    if (due.length > 0) await this.book.refresh();
    for (const { workspace_id } of due) while (!this.ending && (await this.step(workspace_id)));
  }

  /** One page. @returns whether there is more to do here. */
  private step(workspace: string): Promise<boolean> {
    return this.work.run(workspace, async tx => {
      const rebuild = await holdRebuild(tx);
      if (!rebuild || this.book.versionOf(workspace) < rebuild.version) return false;
      const step = await rebuildPage(tx, this.claims, rebuild.cursor);
      advanceRebuild(tx, step);
      return step.last !== null;
    });
  }
}
