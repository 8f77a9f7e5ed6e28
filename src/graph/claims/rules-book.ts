import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { defaultRules } from '#domain/claims/default-rules.js';
import type { ClaimRules, TrustRow } from '#domain/claims/rules.js';
import { rulesWith } from '#domain/claims/trust-table.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';

/** How old what a process knows of another one's change may be. */
export const RULES_STALE_MS = 5_000;

/**
 * The rules of every workspace that has its own, in memory: a write asks for them and must not wait. A change is known
 * to every process within 5 seconds; what one of them folds by older rules until then is folded anew by the rebuild
 * that follows a change, and by the next write, because a state names its version.
 */
@Injectable()
export class RulesBook implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('claims');
  private rules = new Map<string, { version: number; rules: ClaimRules }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: UnitOfWork) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => void this.refresh().catch(error => this.log.warn(String(error))), RULES_STALE_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The rules by which claims of a workspace are folded. */
  of(workspace: string): ClaimRules {
    return this.rules.get(workspace)?.rules ?? defaultRules;
  }

  /** The version of its own trust that a workspace is known to have; 0: the usual rules. */
  versionOf(workspace: string): number {
    return this.rules.get(workspace)?.version ?? 0;
  }

  /** Reads the newest versions of all workspaces. Rules that did not change stay the same objects. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; version: number; content: { trust: TrustRow[] } }>(
        `SELECT DISTINCT ON (workspace_id) workspace_id, version, content FROM trust_tables
         ORDER BY workspace_id, version DESC`,
      ),
    );
    this.rules = new Map(
      rows.map(({ workspace_id, version, content }) => {
        const known = this.rules.get(workspace_id);
        const fresh = known?.version === version ? known : { version, rules: rulesWith(content.trust, version) };
        return [workspace_id, fresh];
      }),
    );
  }
}
