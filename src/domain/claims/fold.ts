import { type JsonValue, isPlainObject } from '../observation/observation.js';
import type { Instant } from '../time/instant.js';
import {
  type PropertyState,
  type Track,
  compareOrder,
  type FoldEntry,
  findPresentedTrack,
  type OrderKey,
  type Statement,
} from './property-state.js';
import { toFoldRules, selectDisplayValue, isCurrentTrack, listSources } from './track.js';
import { applyEntries } from './tracks.js';
import { comparisonKey, comparisonTypeOf } from '../comparison/comparison-key.js';
import { type ClaimRules, ruleOf, type PropertyRule } from './rules.js';
import { isTrustMatch, resolveReliability } from './trust.js';
import { type Confidence, computeConfidence, type EpistemicClass } from './confidence.js';
import { projectTenure, type TenureProjection } from './doubt.js';
import { toComparableMembers, toComparableNumber, toComparableText } from '../comparison/canonical-key.js';

/** A statement with its position in the fold order. */
interface OrderedEntry {
  order: OrderKey;
  entry: FoldEntry;
}

/**
 * Folds one more statement into a stored state, at a cost independent of the length of the log. A statement after `now`
 * is only counted as pending.
 *
 * Returns 'late' if the result could differ from a fold of the whole log: a later statement was folded before, a
 * pending statement has become due, or the rules have another version. The caller then has to use {@link foldAll}.
 */
export function appendStatement(
  rules: ClaimRules,
  property: string,
  state: PropertyState,
  statement: Statement,
  now: Instant,
): { state: PropertyState } | 'late' {
  if (state.trust !== '' && state.trust !== rules.version) return 'late';
  if (hasDueStatement(state, now)) return 'late';
  const ready = toEntry(rules, statement);
  if (statement.observedAt > now) return { state: postponeEntry(rules, state, ready) };
  if (state.greatest && compareOrder(ready.order, state.greatest) <= 0) return 'late';
  return { state: foldEntry(rules, property, state, ready) };
}

/**
 * Folds all statements of one property, in any order. Statements after `now` are counted as pending. The result is the
 * same as that of any chain of {@link appendStatement}.
 */
export function foldAll(
  rules: ClaimRules,
  property: string,
  statements: readonly Statement[],
  now: Instant,
): PropertyState {
  const rule = ruleOf(rules, property);
  const sorted = statements
    .map(statement => toEntry(rules, statement))
    .sort((one, other) => compareOrder(one.order, other.order));
  const due = sorted.filter(({ order }) => order.t <= now);
  const future = sorted.slice(due.length);
  return {
    trust: sorted.length > 0 ? rules.version : '',
    count: due.length,
    pending: future.length,
    nextChangeAt: future[0]?.order.t ?? null,
    greatest: due.at(-1)?.order ?? null,
    tracks: applyEntries(toFoldRules(rules, rule, property), [], toEntries(due)),
  };
}

/** Returns statements in the order in which they are folded. */
export function sortStatements(rules: ClaimRules, statements: readonly Statement[]): Statement[] {
  return statements
    .map(statement => ({ statement, order: toEntry(rules, statement).order }))
    .sort((one, other) => compareOrder(one.order, other.order))
    .map(({ statement }) => statement);
}

/** Returns whether a pending statement has become due, so that the state must be folded again from the log. */
export function hasDueStatement(state: PropertyState, now: Instant): boolean {
  return state.nextChangeAt !== null && state.nextChangeAt <= now;
}

function foldEntry(rules: ClaimRules, property: string, state: PropertyState, ready: OrderedEntry): PropertyState {
  const rule = ruleOf(rules, property);
  const tracks = applyEntries(toFoldRules(rules, rule, property), state.tracks, toEntries([ready]));
  return { ...state, trust: rules.version, count: state.count + 1, greatest: ready.order, tracks };
}

function postponeEntry(rules: ClaimRules, state: PropertyState, { order }: OrderedEntry): PropertyState {
  const nextChangeAt = Math.min(state.nextChangeAt ?? order.t, order.t);
  return { ...state, trust: rules.version, pending: state.pending + 1, nextChangeAt };
}

function toEntry(rules: ClaimRules, statement: Statement): OrderedEntry {
  const { id, source, method, observedAt: t, digest, event, value, liftsOptOut, address } = statement;
  const trust = resolveReliability(rules, source, method);
  const key = comparisonKey(comparisonTypeOf(statement.property), value);
  const isNews = event || isTrustMatch(rules.correctedBy, source, method);
  return {
    order: { t, r: trust.r, digest, id },
    entry: {
      id,
      source,
      method,
      t,
      ...trust,
      isNews,
      value,
      key,
      ...(liftsOptOut && { liftsOptOut }),
      ...(address !== undefined && { address }),
    },
  };
}

function toEntries(ready: readonly OrderedEntry[]): FoldEntry[] {
  return ready.map(({ entry }) => entry);
}

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
  /** The sources that support the value, or any of many values, each once and sorted; none if the fact has ended. */
  readonly sources: readonly string[];
}

/** Projects a state for lists; undefined if nothing was stated. Agrees with {@link toClaim} at any time. */
export function projectClaim(rules: ClaimRules, property: string, state: PropertyState): ClaimProjection | undefined {
  const rule = ruleOf(rules, property);
  if (rule.cardinality === 'many') return projectMultiClaim(rules, rule, state.tracks);
  const track = findPresentedTrack(state);
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
    sources: listSources([track].filter(isCurrentTrack)),
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
    sources: listSources(live),
  };
}

function pickConfidence({ confidence, epistemicClass }: Confidence) {
  return { confidence, epistemicClass };
}
