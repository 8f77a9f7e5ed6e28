import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { type Certainty, certaintyOf, type EpistemicClass } from './certainty.js';
import { comparableMembers, comparableNumber, comparableText } from './comparable.js';
import { type ClaimRules, type PropertyRule, ruleOf } from './rules.js';
import type { PropertyState, Track } from './state.js';
import { shownValue } from './track.js';
import { isLive } from './tracks.js';

/**
 * What lists need of a claim, free of the clock, so that it can be kept beside the fold state: freshness follows from
 * `supportedAt` and the property's half-life at any reading time.
 */
export interface ClaimProjection {
  /** As `showClaim` gives it; null when the fact has ended, for a property of many values too. */
  readonly value: Json;
  /** `comparableText` of the value, `comparableMembers` of many. */
  readonly textValue: string | null;
  readonly numberValue: number | null;
  readonly confidence: number;
  readonly epistemicClass: EpistemicClass;
  /** The latest support; of many values that of the one supported longest ago. */
  readonly supportedAt: Instant;
  /** The newest observation of the value; of many values, of the one whose key comes first, ended or not. */
  readonly topObservationId: string;
}

/** The projection of a state; undefined when nothing was stated yet. Agrees with `showClaim` at any time. */
export function projectClaim(rules: ClaimRules, property: string, state: PropertyState): ClaimProjection | undefined {
  const rule = ruleOf(rules, property);
  if (rule.cardinality === 'many') return projectMany(rules, rule, state.tracks);
  const [track] = state.tracks;
  if (!track) return undefined;
  const value = shownValue(track, rule.halfLife);
  const measured = measureOf(value);
  return {
    value,
    textValue: comparableText(measured, rule.normaliser) ?? null,
    numberValue: comparableNumber(measured) ?? null,
    ...certainty(certaintyOf(rules, rule, track)),
    supportedAt: track.newest.t,
    topObservationId: track.newest.id,
  };
}

/** A score is kept with its parts; lists compare how well the person fits. */
function measureOf(value: Json): Json {
  return isPlainObject(value) && typeof value['icp_score'] === 'number' ? value['icp_score'] : value;
}

/** As sure and as fresh as the weakest of the values that hold, which are in the order of their surety. */
function projectMany(rules: ClaimRules, rule: PropertyRule, tracks: readonly Track[]): ClaimProjection | undefined {
  const live = tracks.filter(isLive);
  const weighed = (live.length > 0 ? live : tracks)
    .map(track => ({ value: shownValue(track, rule.halfLife), of: certaintyOf(rules, rule, track), track }))
    .sort((one, other) => other.of.confidence - one.of.confidence);
  const weakest = weighed.at(-1);
  if (!weakest) return undefined;
  const values = weighed.map(({ value }) => value);
  return {
    value: live.length > 0 ? values : null,
    textValue: live.length > 0 ? comparableMembers(values, rule.normaliser) : null,
    numberValue: null,
    ...certainty(weakest.of),
    supportedAt: Math.min(...weighed.map(({ track }) => track.newest.t)),
    topObservationId: tracks[0]!.newest.id,
  };
}

function certainty({ confidence, epistemicClass }: Certainty) {
  return { confidence, epistemicClass };
}
