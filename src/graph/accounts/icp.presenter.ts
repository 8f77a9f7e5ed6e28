import type { Claim } from '#domain/claims/claim.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isIcpFit, type ScoreScale, type Tier, toTier } from '#domain/score/bands.js';

/** The last recorded score of an entity. */
export interface AccountIcp {
  /** Fit, 0 to 100; null if unknown. */
  readonly score: number | null;
  readonly fit: boolean | null;
  readonly tier: Tier | null;
  /** The recommended play, with the rule that selected it in parentheses. */
  readonly reason: string | null;
  readonly scored_at: string;
  /** Previous scores, newest first. */
  readonly history: readonly { readonly score: number | null; readonly scored_at: string }[];
  readonly outcome_score: null;
}

/** Returns the last recorded score from the claims of an entity, or undefined. @param scale of its workspace. */
export function presentIcp(claims: readonly Claim[], scale: ScoreScale): AccountIcp | undefined {
  const claim = claims.find(({ property, status }) => property === 'lead_score' && status === 'current');
  if (!claim) return undefined;
  const score = readFit(claim.value);
  return {
    score,
    fit: isIcpFit(score),
    tier: toTier(score, scale),
    reason: readReason(claim.value),
    scored_at: claim.last_observed_at,
    history: (claim.history ?? []).map(({ value, valid_from }) => ({ score: readFit(value), scored_at: valid_from })),
    outcome_score: null,
  };
}

function readField(value: JsonValue, name: string): JsonValue | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}

function readFit(value: JsonValue): number | null {
  const score = typeof value === 'number' ? value : readField(value, 'icp_score');
  return typeof score === 'number' ? score : null;
}

function readReason(value: JsonValue): string | null {
  const [play, rule] = [readField(value, 'play'), readField(value, 'play_rule')];
  return typeof play === 'string' ? `${play}${typeof rule === 'string' ? ` (${rule})` : ''}` : null;
}
