import { defaultRules } from '#domain/claims/default-rules.js';
import type { ClaimRules, TrustRow } from '#domain/claims/rules.js';
import type { HalfLives } from '#domain/claims/half-lives.js';
import { withTrustRows } from '#domain/claims/trust-table.js';

/** Content of one trust version of a workspace. */
export interface TrustContent {
  readonly trust: readonly TrustRow[];
  readonly half_lives?: HalfLives;
}

interface CachedRules {
  readonly version: number;
  readonly rules: ClaimRules;
}

const cachedRules = new Map<string, CachedRules>();

/** Returns the rules of a workspace as this process has cached them; see `RulesCache`. */
export function rulesOf(workspace: string): ClaimRules {
  return cachedRules.get(workspace)?.rules ?? defaultRules;
}

/** Returns the cached trust version of a workspace; 0: the default rules. */
export function rulesVersionOf(workspace: string): number {
  return cachedRules.get(workspace)?.version ?? 0;
}

/** Caches a version. A version that is already cached keeps its identity. */
export function cacheRules(workspace: string, version: number, content: TrustContent): void {
  if (cachedRules.get(workspace)?.version !== version)
    cachedRules.set(workspace, { version, rules: buildRules(content, version) });
}

/** Builds the rules of a trust version. */
export function buildRules({ trust, half_lives }: TrustContent, version: number): ClaimRules {
  return withTrustRows(trust, version, half_lives);
}
