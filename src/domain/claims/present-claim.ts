import { type Instant, toIso } from '../time/instant.js';
import type { Claim, ClaimOpponent, ClaimPeriod, ClaimSource } from './claim.js';
import { type ClaimRules, isOptOut, ruleOf, type PropertyRule } from './rules.js';
import { type PropertyState, type FoldEntry, type Track, compareText, findPresentedTrack } from './property-state.js';
import type { JsonValue } from '../observation/observation.js';
import { type Confidence, computeConfidence, roundTo4, computeFreshness } from './confidence.js';
import { type Doubt, explainDoubt, findDoubt, projectTenure, type TenureProjection } from './doubt.js';
import { computeWeight } from './trust.js';
import { selectDisplayValue, listSupporters, isCurrentTrack } from './track.js';

/** Options for presenting a claim. */
export interface ClaimOptions {
  /** Adds `history`, and for a property with many values the ended values. Default: false. */
  history?: boolean;
  /** Projection of the claim `company` of the same person: facts of an earlier job are suspect. */
  employer?: TenureProjection | undefined;
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
  const track = findPresentedTrack(state);
  const claim = track && toSingleClaim(reading, track);
  if (!claim || claim.freshness === 'expired') return claim;
  const doubt = findDoubt(options.employer, projectTenure(property, state));
  return doubt ? toSuspectClaim(rules, claim, doubt) : claim;
}

function toSuspectClaim(rules: ClaimRules, claim: Claim, doubt: Doubt): Claim {
  const since = toIso(doubt.since);
  const due = claim.refresh_due_at;
  return {
    ...claim,
    freshness: 'suspect',
    freshness_reason: explainDoubt(doubt),
    freshness_score: Math.min(claim.freshness_score, rules.freshness.suspect),
    refresh_due_at: due !== null && due < since ? due : since,
  };
}

/** Rules, time and detail with which a claim is presented. */
export interface ClaimReadContext {
  rules: ClaimRules;
  rule: PropertyRule;
  property: string;
  trustVersion: string;
  asOf: Instant;
  history: boolean;
}

/** Returns the claim of one track: a single-valued property, or one value of a many-valued property. */
export function toSingleClaim(reading: ClaimReadContext, track: Track): Claim {
  const { rules, rule, property, asOf } = reading;
  const value = selectDisplayValue(track, rule.halfLife);
  const certainty = computeConfidence(rules, rule, track);
  const fresh = computeFreshness(rules.freshness, rule.halfLife, track.newest.t, asOf);
  return {
    property,
    value,
    value_type: jsonType(value),
    status: value === null ? 'ended' : 'current',
    confidence: certainty.confidence,
    freshness: fresh.freshness,
    freshness_score: roundTo4(fresh.score),
    epistemic_class: certainty.epistemicClass,
    valid_from: toIso(track.from),
    valid_to: null,
    last_observed_at: toIso(track.newest.t),
    refresh_due_at: fresh.refreshDueAt === null ? null : toIso(fresh.refreshDueAt),
    decays_at: fresh.decaysAt === null ? null : toIso(fresh.decaysAt),
    observation_count: track.count,
    sources: toClaimSources(track, rule.halfLife),
    opposing: toClaimOpponents(rule, track, certainty),
    ...(reading.history ? { history: toClaimHistory(track) } : {}),
    trust_version: reading.trustVersion,
  };
}

/** Compares by weight (heaviest first), then time (newest first), then ID: the order of `sources` and `opposing`. */
export function compareSourceWeight(one: WeightedStatement, other: WeightedStatement): number {
  return (
    other.weight - one.weight ||
    compareText(other.observed_at, one.observed_at) ||
    compareText(one.observation_id, other.observation_id)
  );
}

type WeightedStatement = Pick<ClaimSource, 'weight' | 'observed_at' | 'observation_id'>;

function jsonType(value: JsonValue): Claim['value_type'] {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'boolean' | 'number' | 'string' | 'object');
}

function toClaimSources(track: Track, halfLife: number): ClaimSource[] {
  const supporters = listSupporters(track);
  const isNamed = supporters.some(entry => entry.id === track.newest.id);
  const named = isNamed ? supporters : [...supporters, track.newest];
  return named.map(entry => toClaimSource(entry, computeWeight(entry, track.at, halfLife))).sort(compareSourceWeight);
}

function toClaimSource(entry: FoldEntry, weight: number): ClaimSource {
  const { id, source, method, t, r } = entry;
  return { observation_id: id, source, method, observed_at: toIso(t), r, weight: roundTo4(weight) };
}

function toClaimOpponents(rule: PropertyRule, track: Track, { opposing }: Confidence): ClaimOpponent[] {
  return opposing
    .map(({ entry, repeats, weight }) => ({
      observation_id: entry.id,
      source: entry.source,
      value: entry.value,
      observed_at: toIso(entry.t),
      weight: roundTo4(weight),
      why: explainOpposition(rule, track, entry, repeats),
    }))
    .sort(compareSourceWeight);
}

function explainOpposition(rule: PropertyRule, track: Track, entry: FoldEntry, repeats: boolean): string {
  const statement = `${entry.source} (${entry.method}) said so on ${toIso(entry.t).slice(0, 10)}`;
  if (entry.t < track.from) return `${statement}, before the current value began, and has said nothing else since.`;
  if (isOptOut(rule, track.newest.value))
    return `${statement}, but only ${rule.clearableBy} changes this value once it is set.`;
  if (repeats)
    return `${statement}, as it did before the current value was decided; a repeat of what was outvoted is no news.`;
  const when = entry.t > track.newest.t ? ', after the current value was last stated' : '';
  return `${statement}${when}; it weighs too little to replace the current value.`;
}

function toClaimHistory(track: Track): ClaimPeriod[] {
  return track.history
    .map(({ value, from, to, endedBy }) => ({
      value,
      valid_from: toIso(from),
      valid_to: toIso(to),
      ended_by: endedBy,
    }))
    .reverse();
}

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
