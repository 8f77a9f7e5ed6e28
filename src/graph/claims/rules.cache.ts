import { Injectable } from '@nestjs/common';
import type { ClaimRules } from '#domain/claims/rules.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { cacheRules, rulesOf, type TrustContent, rulesVersionOf } from './workspace-rules.js';

/** How old what a process knows of another one's change may be. */
export const RULES_REFRESH_INTERVAL_MS = 5_000;

/**
 * The rules of every workspace that has its own, in memory: a write asks for them and must not wait. A change is known
 * to every process within 5 seconds; what one of them folds by older rules until then is folded anew by the rebuild
 * that follows a change, and by the next write, because a state names its version.
 */
@Injectable()
export class RulesCache extends PeriodicTask {
  constructor(private readonly work: UnitOfWork) {
    super({
      intervalMs: RULES_REFRESH_INTERVAL_MS,
      loggerName: 'claims',
      failureMessage: 'The rules of workspaces may be old',
    });
  }

  /** A process serves when it knows them. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    super.onApplicationBootstrap();
  }

  /** The rules by which claims of a workspace are folded. */
  get(workspace: string): ClaimRules {
    return rulesOf(workspace);
  }

  /** The version of its own trust that a workspace is known to have; 0: the usual rules. */
  versionOf(workspace: string): number {
    return rulesVersionOf(workspace);
  }

  /** Reads the newest versions of all workspaces. Rules that did not change stay the same objects. */
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
