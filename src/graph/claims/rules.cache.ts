import { Injectable } from '@nestjs/common';
import type { ClaimRules } from '#domain/claims/rules.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { cacheRules, rulesOf, type TrustContent, rulesVersionOf } from './workspace-rules.js';

/** Time after which a change by another process is visible at the latest. */
export const RULES_REFRESH_INTERVAL_MS = 5_000;

/**
 * Caches the rules of workspaces that have changed their trust, because writes need them without delay. Every process
 * sees a change within 5 seconds. Claims that it folds under older rules until then are corrected by the rebuild that
 * follows a change and by the next write, because a state stores the version of its rules.
 */
@Injectable()
export class RulesCache extends PeriodicTask {
  constructor(private readonly work: UnitOfWork) {
    super({
      intervalMs: RULES_REFRESH_INTERVAL_MS,
      loggerName: 'claims',
      failureMessage: 'Could not refresh the claim rules of workspaces',
    });
  }

  /** Loads the rules before the process serves requests. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    super.onApplicationBootstrap();
  }

  /** Returns the rules that the claims of a workspace are folded under. */
  get(workspace: string): ClaimRules {
    return rulesOf(workspace);
  }

  /** Returns the cached trust version of a workspace; 0: the default rules. */
  versionOf(workspace: string): number {
    return rulesVersionOf(workspace);
  }

  /** Reads the newest versions of all workspaces. Unchanged rules keep their identity. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; version: number; content: TrustContent }>(
        `SELECT DISTINCT ON (workspace_id) workspace_id, version, content FROM source_trust_versions
         ORDER BY workspace_id, version DESC`,
      ),
    );
    for (const { workspace_id, version, content } of rows) cacheRules(workspace_id, version, content);
  }

  protected run(): Promise<void> {
    return this.refresh();
  }
}
