import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { type Confidence, computeConfidence, roundTo4 } from './confidence.js';
import type { Claim, ClaimOpponent, ClaimPeriod, ClaimSource } from './claim.js';
import { computeFreshness } from './freshness.js';
import { compareText } from './statement-order.js';
import type { ClaimRules, PropertyRule } from './rules.js';
import type { FoldEntry, Track } from './property-state.js';
import { computeWeight } from './weight.js';
import { selectDisplayValue } from './track.js';
import { listSupporters } from './source-support.js';

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
  const said = `${entry.source} (${entry.method}) said so on ${toIso(entry.t).slice(0, 10)}`;
  if (entry.t < track.from) return `${said}, before the current value began, and has said nothing else since.`;
  if (rule.clearableBy) return `${said}, but only ${rule.clearableBy} changes this value once it is set.`;
  if (repeats) return `${said}, as it did before the current value began; a repeat of what was outvoted is no news.`;
  const when = entry.t > track.newest.t ? ', after the current value was last stated' : '';
  return `${said}${when}; it weighs too little to replace the current value.`;
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
