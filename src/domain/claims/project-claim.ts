import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { type Confidence, computeConfidence, type EpistemicClass } from './confidence.js';
import { toComparableMembers, toComparableNumber, toComparableText } from './comparable-value.js';
import { type ClaimRules, type PropertyRule, ruleOf } from './rules.js';
import type { PropertyState, Track } from './property-state.js';
import { selectDisplayValue } from './track.js';
import { isCurrentTrack } from './tracks.js';

/**
 * What lists need of a claim, free of the clock, so that it can be kept beside the fold state: freshness follows from
 * `supportedAt` and the property's half-life at any reading time.
 */
export interface ClaimProjection {
  /** As `showClaim` gives it; null when the fact has ended, for a property of many values too. */
  readonly value: JsonValue;
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
  if (rule.cardinality === 'many') return projectMultiClaim(rules, rule, state.tracks);
  const [track] = state.tracks;
  if (!track) return undefined;
  const value = selectDisplayValue(track, rule.halfLife);
  const measured = selectMeasure(value);
  return {
    value,
    textValue: toComparableText(measured, rule.normaliser) ?? null,
    numberValue: toComparableNumber(measured) ?? null,
    ...pickConfidence(computeConfidence(rules, rule, track)),
    supportedAt: track.newest.t,
    topObservationId: track.newest.id,
  };
}

/** A score is kept with its parts; lists compare how well the person fits. */
function selectMeasure(value: JsonValue): JsonValue {
  return isPlainObject(value) && typeof value['icp_score'] === 'number' ? value['icp_score'] : value;
}

/** As sure and as fresh as the weakest of the values that hold, which are in the order of their surety. */
function projectMultiClaim(
  rules: ClaimRules,
  rule: PropertyRule,
  tracks: readonly Track[],
): ClaimProjection | undefined {
  const live = tracks.filter(isCurrentTrack);
  const weighed = (live.length > 0 ? live : tracks)
    .map(track => ({
      value: selectDisplayValue(track, rule.halfLife),
      of: computeConfidence(rules, rule, track),
      track,
    }))
    .sort((one, other) => other.of.confidence - one.of.confidence);
  const weakest = weighed.at(-1);
  if (!weakest) return undefined;
  const values = weighed.map(({ value }) => value);
  return {
    value: live.length > 0 ? values : null,
    textValue: live.length > 0 ? toComparableMembers(values, rule.normaliser) : null,
    numberValue: null,
    ...pickConfidence(weakest.of),
    supportedAt: Math.min(...weighed.map(({ track }) => track.newest.t)),
    topObservationId: tracks[0]!.newest.id,
  };
}

function pickConfidence({ confidence, epistemicClass }: Confidence) {
  return { confidence, epistemicClass };
}
