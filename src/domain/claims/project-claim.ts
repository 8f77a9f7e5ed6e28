import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { type Confidence, computeConfidence, type EpistemicClass } from './confidence.js';
import { toComparableMembers, toComparableNumber, toComparableText } from './canonical-key.js';
import { type ClaimRules, type PropertyRule, ruleOf } from './rules.js';
import type { PropertyState, Track } from './property-state.js';
import { projectTenure, type TenureProjection } from './tenure.js';
import { selectDisplayValue, isCurrentTrack } from './track.js';

/**
 * The parts of a claim that lists need, stored beside the fold state. They do not depend on the clock: freshness
 * follows from `supportedAt` and the property's half-life at any time.
 */
export interface ClaimProjection {
  /** The value as {@link toClaim} presents it; null if the fact has ended, also for a property with many values. */
  readonly value: JsonValue;
  /** {@link toComparableText} of the value, or {@link toComparableMembers} of many values. */
  readonly textValue: string | null;
  readonly numberValue: number | null;
  readonly confidence: number;
  readonly epistemicClass: EpistemicClass;
  /** Time of the latest support; of many values, the earliest of these times. */
  readonly supportedAt: Instant;
  /** The newest observation of the value; of many values, the one of the first key, current or ended. */
  readonly topObservationId: string;
  /** Decides whether the fact belongs to an earlier job; null if it belongs to none. */
  readonly tenure: TenureProjection;
}

/** Projects a state for lists; undefined if nothing was stated. Agrees with {@link toClaim} at any time. */
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
    tenure: projectTenure(property, state),
  };
}

/** Lists compare a lead score by its `icp_score`. */
function selectMeasure(value: JsonValue): JsonValue {
  return isPlainObject(value) && typeof value['icp_score'] === 'number' ? value['icp_score'] : value;
}

/** Confidence and freshness are those of the weakest current value. Values are ordered by confidence. */
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
    tenure: null,
  };
}

function pickConfidence({ confidence, epistemicClass }: Confidence) {
  return { confidence, epistemicClass };
}
