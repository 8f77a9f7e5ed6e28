import { Injectable } from '@nestjs/common';
import { defaultRules } from '#domain/claims/default-rules.js';
import type { ClaimRules, TrustRow } from '#domain/claims/rules.js';
import { type HalfLives, withTrustRows } from '#domain/claims/trust.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';

/** Content of one trust version of a workspace. */
export interface TrustContent {
  readonly trust: readonly TrustRow[];
  readonly half_lives?: HalfLives;
}

/** Builds the rules of a trust version. */
export function buildRules({ trust, half_lives }: TrustContent, version: number): ClaimRules {
  return withTrustRows(trust, version, half_lives);
}

/** Time after which a change by another process is visible at the latest. */
export const RULES_REFRESH_INTERVAL_MS = 5_000;

/**
 * Caches the rules of workspaces that have changed their trust, because writes need them without delay. Every process
 * sees a change within 5 seconds. Claims that it folds under older rules until then are corrected by the rebuild that
 * follows a change and by the next write, because a state stores the version of its rules.
 */
@Injectable()
export class RulesCache extends PeriodicTask {
  /** One entry per workspace with changed trust settings. */
  private readonly cached = new Map<string, { readonly version: number; readonly rules: ClaimRules }>();

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
    return this.cached.get(workspace)?.rules ?? defaultRules;
  }

  /** Returns the cached trust version of a workspace; 0: the default rules. */
  versionOf(workspace: string): number {
    return this.cached.get(workspace)?.version ?? 0;
  }

  /** Reads the newest versions of all workspaces. Unchanged rules keep their identity. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; version: number; content: TrustContent }>(
        `SELECT DISTINCT ON (workspace_id) workspace_id, version, content FROM source_trust_versions
         ORDER BY workspace_id, version DESC`,
      ),
    );
    for (const { workspace_id: id, version, content } of rows) {
      if (this.cached.get(id)?.version !== version)
        this.cached.set(id, { version, rules: buildRules(content, version) });
    }
  }

  protected run(): Promise<void> {
    return this.refresh();
  }
}
