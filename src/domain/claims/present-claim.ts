import type { Instant } from '#domain/time/instant.js';
import type { Claim } from './claim.js';
import { type ClaimRules, ruleOf } from './rules.js';
import { toMultiClaim } from './present-multi-claim.js';
import { toSingleClaim } from './present-single-claim.js';
import type { PropertyState } from './property-state.js';

/** Options for presenting a claim. */
export interface ClaimOptions {
  /** Adds `history`, and for a property with many values the ended values. Default: false. */
  history?: boolean;
}

/**
 * Returns the claim of a state as of `asOf`; undefined if nothing was stated by then. The state must have been folded
 * with the same rules and `now` equal to `asOf` ({@link hasDueStatement} tells when a stored state is outdated).
 */
export function toClaim(
  rules: ClaimRules,
  property: string,
  state: PropertyState,
  asOf: Instant,
  options: ClaimOptions = {},
): Claim | undefined {
  const rule = ruleOf(rules, property);
  const reading = { rules, rule, property, trustVersion: state.trust, asOf, history: options.history ?? false };
  if (rule.cardinality === 'many') return toMultiClaim(reading, state);
  const [track] = state.tracks;
  return track && toSingleClaim(reading, track);
}
