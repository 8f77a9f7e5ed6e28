import type { Claim, ClaimOpponent, ClaimSource } from './claim.js';
import { compareSourceWeight, type ClaimReadContext, toSingleClaim } from './present-single-claim.js';
import type { PropertyState, Track } from './property-state.js';
import { isCurrentTrack } from './tracks.js';

/**
 * Returns the claim of a property with many values. `value` lists the current ones; confidence and freshness are those
 * of the weakest; `values` has the claim of each. If none is current, the list is empty and the status is `ended`.
 */
export function toMultiClaim(reading: ClaimReadContext, state: PropertyState): Claim | undefined {
  const live = state.tracks.filter(isCurrentTrack);
  const claims = (live.length > 0 ? live : state.tracks)
    .map(track => toSingleClaim(reading, track))
    .sort(compareConfidence);
  const weakest = claims.at(-1);
  if (!weakest) return undefined;
  const stalest = claims.reduce((one, other) => (other.last_observed_at < one.last_observed_at ? other : one));
  const ended = reading.history && live.length > 0 ? toEndedClaims(reading, state.tracks) : [];
  return {
    property: reading.property,
    value: live.length > 0 ? claims.map(claim => claim.value) : [],
    value_type: 'array',
    status: weakest.status,
    confidence: weakest.confidence,
    freshness: stalest.freshness,
    freshness_score: stalest.freshness_score,
    epistemic_class: weakest.epistemic_class,
    valid_from: claims.map(claim => claim.valid_from).reduce((one, other) => (one < other ? one : other)),
    valid_to: null,
    last_observed_at: claims.map(claim => claim.last_observed_at).reduce((one, other) => (one > other ? one : other)),
    refresh_due_at: stalest.refresh_due_at,
    decays_at: stalest.decays_at,
    observation_count: state.count,
    sources: uniqueByObservation(claims.flatMap(claim => claim.sources)),
    opposing: uniqueByObservation(claims.flatMap(claim => claim.opposing)),
    values: [...claims, ...ended],
    trust_version: reading.trustVersion,
  };
}

function toEndedClaims(reading: ClaimReadContext, tracks: readonly Track[]): Claim[] {
  return tracks.filter(track => !isCurrentTrack(track)).map(track => toSingleClaim(reading, track));
}

/** Sorts the highest confidence first; ties keep the order of their keys. */
function compareConfidence(one: Claim, other: Claim): number {
  return other.confidence - one.confidence;
}

/** Returns each statement once, with its greatest weight. */
function uniqueByObservation<S extends ClaimSource | ClaimOpponent>(statements: S[]): S[] {
  const byId = new Map<string, S>();
  for (const statement of statements.toSorted(compareSourceWeight)) {
    if (!byId.has(statement.observation_id)) byId.set(statement.observation_id, statement);
  }
  return [...byId.values()];
}
