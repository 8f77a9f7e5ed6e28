import { Injectable } from '@nestjs/common';
import { defaultRules, type ClaimRules, type TrustRow } from '#domain/claims/rules.js';
import { type HalfLives, withTrustRows } from '#domain/claims/trust.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { WorkspaceCache } from '#kernel/db/workspace-cache.js';

/** Content of one trust version of a workspace. */
export interface TrustContent {
  readonly trust: readonly TrustRow[];
  readonly half_lives?: HalfLives;
}

/** Builds the rules of a trust version. */
export function buildRules({ trust, half_lives }: TrustContent, version: number): ClaimRules {
  return withTrustRows(trust, version, half_lives);
}

/** The rules of a workspace and their trust version; 0: the default rules. */
interface VersionedRules {
  readonly version: number;
  readonly rules: ClaimRules;
}

/**
 * Caches the rules that the claims of a workspace are folded under. Claims that another process folds under older
 * rules are corrected by the rebuild that follows a change and by the next write, because a state stores the version
 * of its rules.
 */
@Injectable()
export class RulesCache extends WorkspaceCache<VersionedRules> {
  protected async query(
    tx: Transaction,
    workspace: string,
    previous: VersionedRules | undefined,
  ): Promise<VersionedRules> {
    const [newest] = await tx.query<{ version: number; content: TrustContent }>(
      'SELECT version, content FROM source_trust_versions WHERE workspace_id = $1 ORDER BY version DESC LIMIT 1',
      [workspace],
    );
    const version = newest?.version ?? 0;
    if (version === previous?.version) return previous;
    return { version, rules: newest ? buildRules(newest.content, version) : defaultRules };
  }
}
