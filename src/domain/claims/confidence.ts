import { DAY_US, type Instant } from '../time/instant.js';
import type { FreshnessGrades, ClaimRules, EvidenceClass, PropertyRule } from './rules.js';
import { decay, jointStrength, noisyOr, computeWeight, sourceFamily } from './trust.js';
import type { FoldEntry, Track } from './property-state.js';
import { findDecisionTime, findStrongestSupport, listOpponents, listSupporters } from './track.js';

/** Grade for how likely a fact still holds since it was last supported. */
export type Freshness = 'fresh' | 'aging' | 'suspect' | 'expired';

/** Freshness of a claim at one time, with the times at which it will drop. */
export interface FreshnessReading {
  freshness: Freshness;
  /** 2^(-age/halfLife), 0..1, not rounded: the modelled probability that nothing has changed. */
  score: number;
  /** Time at which the claim stops being `fresh`; null for facts that do not age. */
  refreshDueAt: Instant | null;
  /** Time at which the claim expires; null for facts that do not age. */
  decaysAt: Instant | null;
}

/** Computes the freshness as of `asOf` of a fact with `halfLife` in days that was last supported at `supportedAt`. */
export function computeFreshness(
  grades: FreshnessGrades,
  halfLife: number,
  supportedAt: Instant,
  asOf: Instant,
): FreshnessReading {
  const score = decay(Math.max(0, asOf - supportedAt), halfLife);
  const reaches = (share: number): Instant | null =>
    Number.isFinite(halfLife) ? supportedAt + Math.round(-Math.log2(share) * halfLife * DAY_US) : null;
  return {
    freshness: gradeFreshness(grades, score),
    score,
    refreshDueAt: reaches(grades.fresh),
    decaysAt: reaches(grades.suspect),
  };
}

/** Returns the grade of a freshness score. */
export function gradeFreshness(grades: FreshnessGrades, score: number): Freshness {
  if (score >= grades.fresh) return 'fresh';
  if (score >= grades.aging) return 'aging';
  return score >= grades.suspect ? 'suspect' : 'expired';
}

/** Basis of a claim. The first that applies, from left to right, is used. */
export type EpistemicClass = 'ended' | 'contested' | 'corroborated' | EvidenceClass;

/**
 * Confidence of a claim. It does not depend on the clock: all statements are weighed at the time of the newest relevant
 * one.
 */
export interface Confidence {
  /** 0..1, four decimals, at most `rules.ceiling`. */
  confidence: number;
  epistemicClass: EpistemicClass;
  opposing: Opponent[];
}

/** A source whose latest statement is another value, with the weight it still has. */
export interface Opponent {
  entry: FoldEntry;
  /** Whether the source only repeats what it stated before the current value began. */
  repeats: boolean;
  weight: number;
}

/**
 * Computes confidence = min(ceiling, S * (1 - A)), where S is the strength of the support and A that of the opposition.
 * Each opposing statement counts `opposingWeight` and decays with `opposingHalfLife` of the property's half-life. A
 * source that was outvoted before keeps only `outvotedWeight` of its weight, however often it repeats itself (after
 * Dong, Berti-Equille and Srivastava, "Truth discovery and copying detection in a dynamic world", VLDB 2009).
 */
export function computeConfidence(rules: ClaimRules, rule: PropertyRule, track: Track): Confidence {
  const support = jointStrength(listSupporters(track), track.at, rule.halfLife);
  const opposing = findOpponents(rules, rule, track);
  const against = noisyOr(opposing.map(({ weight }) => rules.opposingWeight * weight));
  const pressed = noisyOr(opposing.map(({ weight }) => weight));
  const contested = opposing.length > 0 && pressed >= rules.contestedShare * support;
  return {
    confidence: Math.min(rules.ceiling, roundTo4(support * (1 - against))),
    epistemicClass: classifyEvidence(rule, track, contested),
    opposing,
  };
}

/** Rounds to four decimals, the precision of every score in a response. */
export function roundTo4(number: number): number {
  return Math.round(number * 10_000) / 10_000;
}

function findOpponents(rules: ClaimRules, rule: PropertyRule, track: Track): Opponent[] {
  if (rule.latestWins) return [];
  const halfLife = rule.halfLife * rules.opposingHalfLife;
  const strongest = findStrongestSupport(track, rule.halfLife);
  const decidedAt = findDecisionTime(rules, track);
  return listOpponents(track).map(({ last: entry, since }) => {
    const repeats = since < decidedAt && entry.t >= decidedAt;
    const outvoted = since < decidedAt && entry.r < strongest.r;
    const weight = computeWeight(entry, track.at, halfLife) * (outvoted ? rules.outvotedWeight : 1);
    return { entry, repeats, weight };
  });
}

function classifyEvidence(rule: PropertyRule, track: Track, contested: boolean): EpistemicClass {
  if (track.newest.value === null) return 'ended';
  if (contested) return 'contested';
  const families = new Set(listSupporters(track).map(entry => sourceFamily(entry.source)));
  const agreed = families.size >= 2 && track.sources.some(source => source.hasDirectEvidence);
  return agreed ? 'corroborated' : findStrongestSupport(track, rule.halfLife).class;
}
