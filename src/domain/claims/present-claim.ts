import type { Instant } from '#domain/time/instant.js';
import type { Claim } from './claim.js';
import { type ClaimRules, ruleOf } from './rules.js';
import { toMultiClaim } from './present-multi-claim.js';
import { toSingleClaim } from './present-single-claim.js';
import type { PropertyState } from './property-state.js';

/** What of a claim is wanted. */
export interface ClaimOptions {
  /** Adds `history`, and for a property of many values the values that ended. Default false. */
  history?: boolean;
}

/**
 * The claim that a state gives as of `asOf`; undefined when nothing was stated by then. The state must have been
 * folded with the same rules and a now of `asOf` (`isDue` tells when a stored one no longer serves).
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
