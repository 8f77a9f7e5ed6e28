import { defaultRules } from '#domain/claims/default-rules.js';
import type { ClaimRules, TrustRow } from '#domain/claims/rules.js';
import type { HalfLives } from '#domain/claims/half-lives.js';
import { rulesWith } from '#domain/claims/trust-table.js';

/** What a version of a workspace's trust holds. */
export interface TrustContent {
  readonly trust: readonly TrustRow[];
  readonly half_lives?: HalfLives;
}

interface Kept {
  readonly version: number;
  readonly rules: ClaimRules;
}

const kept = new Map<string, Kept>();

/** The rules by which claims of a workspace are folded and read, as this process knows them; see `RulesBook`. */
export function rulesOf(workspace: string): ClaimRules {
  return kept.get(workspace)?.rules ?? defaultRules;
}

/** The version of its own rules that a workspace is known to have; 0: the usual ones. */
export function versionOfRules(workspace: string): number {
  return kept.get(workspace)?.version ?? 0;
}

/** Remembers a version. One that is known already stays the same object. */
export function rememberRules(workspace: string, version: number, content: TrustContent): void {
  if (kept.get(workspace)?.version !== version) kept.set(workspace, { version, rules: rulesFrom(content, version) });
}

/** The rules of a version. */
export function rulesFrom({ trust, half_lives }: TrustContent, version: number): ClaimRules {
  return rulesWith(trust, version, half_lives);
}
