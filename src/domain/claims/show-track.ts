import type { Json } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { type Certainty, certaintyOf, round4 } from './certainty.js';
import type { Claim, ClaimOpponent, ClaimPeriod, ClaimSource } from './claim.js';
import { freshnessOf } from './freshness.js';
import { compareText } from './order.js';
import type { ClaimRules, PropertyRule } from './rules.js';
import type { Entry, Track } from './state.js';
import { weightOf } from './strength.js';
import { shownValue } from './track.js';
import { supportersOf } from './voices.js';

/** By which rules, as of when and how fully a claim is read. */
export interface Reading {
  rules: ClaimRules;
  rule: PropertyRule;
  property: string;
  trustVersion: string;
  asOf: Instant;
  history: boolean;
}

/** The claim of one line of values: a single-valued property, or one value of a property of many. */
export function showTrack(reading: Reading, track: Track): Claim {
  const { rules, rule, property, asOf } = reading;
  const value = shownValue(track, rule.halfLife);
  const certainty = certaintyOf(rules, rule, track);
  const fresh = freshnessOf(rules.freshness, rule.halfLife, track.newest.t, asOf);
  return {
    property,
    value,
    value_type: typeOf(value),
    status: value === null ? 'ended' : 'current',
    confidence: certainty.confidence,
    freshness: fresh.freshness,
    freshness_score: round4(fresh.score),
    epistemic_class: certainty.epistemicClass,
    valid_from: toIso(track.from),
    valid_to: null,
    last_observed_at: toIso(track.newest.t),
    refresh_due_at: fresh.refreshDueAt === null ? null : toIso(fresh.refreshDueAt),
    decays_at: fresh.decaysAt === null ? null : toIso(fresh.decaysAt),
    observation_count: track.count,
    sources: sourcesOf(track, rule.halfLife),
    opposing: opposingOf(rule, track, certainty),
    ...(reading.history ? { history: historyOf(track) } : {}),
    trust_version: reading.trustVersion,
  };
}

/** Heaviest first, then newest, then by id: the order of `sources` and `opposing`. */
export function byWeight(one: Weighed, other: Weighed): number {
  return (
    other.weight - one.weight ||
    compareText(other.observed_at, one.observed_at) ||
    compareText(one.observation_id, other.observation_id)
  );
}

type Weighed = Pick<ClaimSource, 'weight' | 'observed_at' | 'observation_id'>;

function typeOf(value: Json): Claim['value_type'] {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'boolean' | 'number' | 'string' | 'object');
}

function sourcesOf(track: Track, halfLife: number): ClaimSource[] {
  const supporters = supportersOf(track);
  const isNamed = supporters.some(entry => entry.id === track.newest.id);
  const named = isNamed ? supporters : [...supporters, track.newest];
  return named.map(entry => sourceOf(entry, weightOf(entry, track.at, halfLife))).sort(byWeight);
}

function sourceOf(entry: Entry, weight: number): ClaimSource {
  const { id, source, method, t, r } = entry;
  return { observation_id: id, source, method, observed_at: toIso(t), r, weight: round4(weight) };
}

function opposingOf(rule: PropertyRule, track: Track, { opposing }: Certainty): ClaimOpponent[] {
  return opposing
    .map(({ entry, repeats, weight }) => ({
      observation_id: entry.id,
      source: entry.source,
      value: entry.value,
      observed_at: toIso(entry.t),
      weight: round4(weight),
      why: whyItDidNotPrevail(rule, track, entry, repeats),
    }))
    .sort(byWeight);
}

function whyItDidNotPrevail(rule: PropertyRule, track: Track, entry: Entry, repeats: boolean): string {
  const said = `${entry.source} (${entry.method}) said so on ${toIso(entry.t).slice(0, 10)}`;
  if (entry.t < track.from) return `${said}, before the current value began, and has said nothing else since.`;
  if (rule.liftedBy) return `${said}, but only ${rule.liftedBy} changes this value once it is set.`;
  if (repeats) return `${said}, as it did before the current value began; a repeat of what was outvoted is no news.`;
  const when = entry.t > track.newest.t ? ', after the current value was last stated' : '';
  return `${said}${when}; it weighs too little to replace the current value.`;
}

function historyOf(track: Track): ClaimPeriod[] {
  return track.history
    .map(({ value, from, to, endedBy }) => ({
      value,
      valid_from: toIso(from),
      valid_to: toIso(to),
      ended_by: endedBy,
    }))
    .reverse();
}
