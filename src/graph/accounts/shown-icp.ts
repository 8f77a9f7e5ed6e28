import type { Claim } from '#domain/claims/claim.js';
import type { Json } from '#domain/observation/observation.js';
import { fits, type Scale, type Tier, tierOf } from '#domain/score/bands.js';

/** The score that was last recorded. */
export interface IcpRead {
  /** Fit, 0..100; null when it is unknown. */
  readonly score: number | null;
  readonly fit: boolean | null;
  readonly tier: Tier | null;
  /** What to do, and by which rule. */
  readonly reason: string | null;
  readonly scored_at: string;
  /** Scores before, the newest first. */
  readonly history: readonly { readonly score: number | null; readonly scored_at: string }[];
  readonly outcome_score: null;
}

/** The last recorded score among the claims of an entity; undefined when none was. @param scale of its workspace. */
export function icpOf(claims: readonly Claim[], scale: Scale): IcpRead | undefined {
  const claim = claims.find(({ property, status }) => property === 'lead_score' && status === 'current');
  if (!claim) return undefined;
  const score = fitIn(claim.value);
  return {
    score,
    fit: fits(score),
    tier: tierOf(score, scale),
    reason: reasonIn(claim.value),
    scored_at: claim.last_observed_at,
    history: (claim.history ?? []).map(({ value, valid_from }) => ({ score: fitIn(value), scored_at: valid_from })),
    outcome_score: null,
  };
}

function fieldOf(value: Json, name: string): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}

function fitIn(value: Json): number | null {
  const score = typeof value === 'number' ? value : fieldOf(value, 'icp_score');
  return typeof score === 'number' ? score : null;
}

function reasonIn(value: Json): string | null {
  const [play, rule] = [fieldOf(value, 'play'), fieldOf(value, 'play_rule')];
  return typeof play === 'string' ? `${play}${typeof rule === 'string' ? ` (${rule})` : ''}` : null;
}
