import type { ClaimRules, EvidenceClass, PropertyRule } from './rules.js';
import type { FoldEntry, Track } from './property-state.js';
import { jointStrength, noisyOr, computeWeight } from './weight.js';
import { findStrongestSupport, listOpponents, listSupporters } from './track.js';
import { sourceFamily } from './trust.js';

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
  return listOpponents(track).map(({ last: entry, since }) => {
    const repeats = since < track.from && entry.t >= track.from;
    const outvoted = since < track.from && entry.r < strongest.r;
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
