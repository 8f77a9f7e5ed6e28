import { defaultRules } from '#domain/claims/default-rules.js';
import type { ClaimRules, TrustRow } from '#domain/claims/rules.js';
import type { HalfLives } from '#domain/claims/half-lives.js';
import { withTrustRows } from '#domain/claims/trust-table.js';

/** What a version of a workspace's trust holds. */
export interface TrustContent {
  readonly trust: readonly TrustRow[];
  readonly half_lives?: HalfLives;
}

interface CachedRules {
  readonly version: number;
  readonly rules: ClaimRules;
}

const cachedRules = new Map<string, CachedRules>();

/** The rules by which claims of a workspace are folded and read, as this process knows them; see `RulesBook`. */
export function rulesOf(workspace: string): ClaimRules {
  return cachedRules.get(workspace)?.rules ?? defaultRules;
}

/** The version of its own rules that a workspace is known to have; 0: the usual ones. */
export function rulesVersionOf(workspace: string): number {
  return cachedRules.get(workspace)?.version ?? 0;
}

/** Remembers a version. One that is known already stays the same object. */
export function cacheRules(workspace: string, version: number, content: TrustContent): void {
  if (cachedRules.get(workspace)?.version !== version)
    cachedRules.set(workspace, { version, rules: buildRules(content, version) });
}

/** The rules of a version. */
export function buildRules({ trust, half_lives }: TrustContent, version: number): ClaimRules {
  return withTrustRows(trust, version, half_lives);
}
