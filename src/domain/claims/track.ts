import type { JsonValue } from '../observation/observation.js';
import { keysAgree, saysMore, type ComparisonType, comparisonTypeOf } from '../comparison/comparison-key.js';
import { isSameSpelling, ENDED_KEY } from '../comparison/canonical-key.js';
import {
  compareText,
  type FoldEntry,
  type Track,
  type SourceSupport,
  MAX_SOURCES,
  MAX_HISTORY_LENGTH,
  MAX_PERIODS,
  type ValuePeriod,
} from './property-state.js';
import type { Instant } from '../time/instant.js';
import { type ClaimRules, isOptOut, type PropertyRule } from './rules.js';
import { compareWeight, jointStrength, isTrustMatch } from './trust.js';

/** The rules that one step of the fold needs. */
export type FoldRules = PropertyRule &
  Pick<ClaimRules, 'takeoverShare' | 'repeatTakeoverShare' | 'correctedBy'> & { readonly comparison: ComparisonType };

/** Combines the rule of a property with the thresholds of the workspace. */
export function toFoldRules(rules: ClaimRules, rule: PropertyRule, property: string): FoldRules {
  const { takeoverShare, repeatTakeoverShare, correctedBy } = rules;
  return { ...rule, takeoverShare, repeatTakeoverShare, correctedBy, comparison: comparisonTypeOf(property) };
}

/** Returns the track that starts with its first statement. */
export function startTrack(key: string, entry: FoldEntry): Track {
  const source: SourceSupport = {
    last: entry,
    since: entry.t,
    isChallenger: false,
    support: 'last',
    hasDirectEvidence: isDirect(entry),
  };
  return { key, from: entry.t, newest: entry, at: entry.t, sources: [source], count: 1, history: [], periods: 0 };
}

/** Returns the track after one more statement, which must be later in order than all before it. */
export function appendTo(rules: FoldRules, track: Track, entry: FoldEntry): Track {
  const next = keysAgree(entry.key, track.newest.key)
    ? applySupport(rules, track, entry)
    : applyChallenge(rules, track, entry);
  return { ...next, count: track.count + 1, sources: limitSources(next.sources, rules.halfLife) };
}

/**
 * Returns the value to present: the newest supporter's, in the spelling of the strongest one if only the spelling
 * differs.
 */
export function selectDisplayValue(track: Track, halfLife: number): JsonValue {
  const strongest = findStrongestSupport(track, halfLife);
  return isSameSpelling(track.newest.value, strongest.value) ? strongest.value : track.newest.value;
}

/**
 * Returns the strongest statement for the current value. Ties go to the newest, then to the source that sorts last, so
 * that neither the order in which sources spoke last nor a repeat under a new ID matters.
 */
export function findStrongestSupport(track: Track, halfLife: number): FoldEntry {
  return listSupporters(track).reduce((best, entry) => {
    const order = compareWeight(entry, best, halfLife) || entry.t - best.t || compareText(entry.source, best.source);
    return order > 0 ? entry : best;
  });
}

function applySupport(rules: FoldRules, track: Track, entry: FoldEntry): Track {
  const sources = withSupport(withLatest(track.sources, entry, false), entry, rules.halfLife);
  return { ...track, sources, newest: toNewest(track, entry), at: entry.t };
}

/** A statement that says the same less exactly supports the more exact value: `51-200` after `120`. */
function toNewest({ newest }: Track, entry: FoldEntry): FoldEntry {
  return saysMore(newest.key, entry.key) ? { ...entry, value: newest.value, key: newest.key } : entry;
}

function applyChallenge(rules: FoldRules, track: Track, entry: FoldEntry): Track {
  const sources = withLatest(track.sources, entry, true);
  const isTentative = isTentativeTrack(track);
  if (entry.isTentative && !isTentative) return { ...track, sources };
  const next = { ...track, sources, at: entry.t };
  return isTakeover(rules, next, entry, isTentative) ? displaceValue(rules, next, entry) : next;
}

/** Returns whether the sources that state the value of `entry` outweigh the support of the current value. */
function isTakeover(rules: FoldRules, track: Track, entry: FoldEntry, isTentative: boolean): boolean {
  if (isOptOutSet(rules, track)) return isTrustMatch(rules.clearableBy!, entry.source, entry.method);
  if (rules.latestWins || (isTentative && !entry.isTentative)) return true;
  const challengers = findChallengers(track, entry);
  const decidedAt = findDecisionTime(rules, track);
  const isRepeat = challengers.every(source => source.since < decidedAt);
  if (rules.clearableBy && !isRepeat && (!rules.optOutValues || isOptOut(rules, entry.value))) return true;
  const share = isRepeat ? rules.repeatTakeoverShare : rules.takeoverShare;
  const strength = (entries: FoldEntry[]): number => jointStrength(entries, entry.t, rules.halfLife);
  return strength(challengers.map(source => source.last)) >= share * strength(listSupporters(track));
}

/** Returns whether an opt-out is set. Opt-outs apply immediately; only trusted sources can clear them. */
function isOptOutSet(rules: FoldRules, track: Track): boolean {
  return isOptOut(rules, track.newest.value);
}

/**
 * Returns the challengers that state the value of `entry`, ordered by latest statement. Tentative ones only help
 * tentative ones.
 */
function findChallengers(track: Track, { key, isTentative }: FoldEntry): SourceSupport[] {
  return track.sources.filter(
    ({ isChallenger, last }) => isChallenger && keysAgree(last.key, key) && (isTentative || !last.isTentative),
  );
}

function displaceValue(rules: FoldRules, track: Track, entry: FoldEntry): Track {
  const first = findChallengers(track, entry)[0]?.last ?? entry;
  const from = Math.max(track.from, first.t);
  const sources = track.sources.map((source): SourceSupport => {
    // A source that stated this value before and never took it back supports it again, though it may not challenge.
    const joins = keysAgree(source.last.key, entry.key);
    if (joins) return { ...source, isChallenger: false, support: 'last', hasDirectEvidence: isDirect(source.last) };
    return { ...source, support: null, hasDirectEvidence: false };
  });
  const next = { ...track, from, newest: entry, sources };
  if (from === track.from) return next;
  const value = selectDisplayValue(track, rules.halfLife);
  const isTentative = isTentativeTrack(track) && { isTentative: true as const };
  const ended = { value, from: track.from, to: from, endedBy: first.id, ...isTentative };
  return { ...next, history: keepNewestPeriods([...track.history, ended]), periods: track.periods + 1 };
}

/** Returns the statement by which a source supports the current value, or null. */
export function supportingEntryOf(source: SourceSupport): FoldEntry | null {
  return source.support === 'last' ? source.last : source.support;
}

/** Returns the strongest statement of every source that supports the current value. */
export function listSupporters(track: Track): FoldEntry[] {
  return track.sources.map(supportingEntryOf).filter(entry => entry !== null);
}

/** Returns the sources that support the values of tracks, each once and sorted. */
export function listSources(tracks: readonly Track[]): string[] {
  return [...new Set(tracks.flatMap(track => listSupporters(track).map(({ source }) => source)))].toSorted(compareText);
}

/** Returns the sources whose latest statement is not the current value. Tentative statements never oppose. */
export function listOpponents(track: Track): SourceSupport[] {
  return track.sources.filter(({ last }) => !keysAgree(last.key, track.newest.key) && !last.isTentative);
}

/** Returns the sources whose latest statement is the current value. */
export function listPresentSupporters(track: Track): SourceSupport[] {
  return track.sources.filter(({ last }) => keysAgree(last.key, track.newest.key));
}

/**
 * Returns when the current value was last decided: when it began, or when a person who knew what others state confirmed
 * it. What a source stated before that time was outvoted.
 */
export function findDecisionTime({ correctedBy }: Pick<ClaimRules, 'correctedBy'>, track: Track): Instant {
  const decisions = listPresentSupporters(track).filter(
    ({ last }) => last.isNews && isTrustMatch(correctedBy, last.source, last.method),
  );
  return Math.max(track.from, ...decisions.map(({ last }) => last.t));
}

/** Returns whether only tentative statements support the current value. */
export function isTentativeTrack(track: Track): boolean {
  return listSupporters(track).every(entry => entry.isTentative);
}

/**
 * Returns the sources with `entry` as the latest statement of its source, ordered by latest statement. `isChallenger`
 * says whether it competes with the current value.
 */
export function withLatest(
  sources: readonly SourceSupport[],
  entry: FoldEntry,
  isChallenger: boolean,
): SourceSupport[] {
  const known = sources.find(source => source.last.source === entry.source);
  const support = known ? supportingEntryOf(known) : null;
  const repeats = known !== undefined && known.last.key === entry.key && !entry.isNews;
  const since = repeats ? known.since : entry.t;
  const source = { last: entry, since, isChallenger, support, hasDirectEvidence: known?.hasDirectEvidence ?? false };
  return [...sources.filter(other => other !== known), source];
}

/** Returns the sources with `entry`, the latest of its source, counted as support where it is the strongest. */
export function withSupport(sources: readonly SourceSupport[], entry: FoldEntry, halfLife: number): SourceSupport[] {
  return sources.map(source => {
    if (source.last !== entry) return source;
    const before = supportingEntryOf(source);
    const stronger = before === null || compareWeight(entry, before, halfLife) >= 0;
    return {
      ...source,
      support: stronger ? 'last' : before,
      hasDirectEvidence: source.hasDirectEvidence || isDirect(entry),
    };
  });
}

/** Returns whether a statement is more than an inference. */
export function isDirect(entry: FoldEntry): boolean {
  return entry.class !== 'inferred';
}

/** Returns at most {@link MAX_SOURCES} sources for the current value and as many others; drops the weakest. */
export function limitSources(sources: SourceSupport[], halfLife: number): SourceSupport[] {
  if (sources.length <= MAX_SOURCES) return sources;
  const supporters = selectStrongest(
    sources.filter(source => source.support !== null),
    halfLife,
  );
  const others = selectStrongest(
    sources.filter(source => source.support === null),
    halfLife,
  );
  return sources.filter(source => supporters.has(source) || others.has(source));
}

function selectStrongest(sources: SourceSupport[], halfLife: number): Set<SourceSupport> {
  if (sources.length <= MAX_SOURCES) return new Set(sources);
  const entryOf = (source: SourceSupport): FoldEntry => supportingEntryOf(source) ?? source.last;
  const ranked = sources.toSorted((one, other) => {
    const byWeight = compareWeight(entryOf(other), entryOf(one), halfLife);
    return byWeight || (entryOf(one).source < entryOf(other).source ? -1 : 1);
  });
  return new Set(ranked.slice(0, MAX_SOURCES));
}

/** Returns the newest periods within the bounds on their number and total size; at least one. */
export function keepNewestPeriods(history: readonly ValuePeriod[]): ValuePeriod[] {
  let size = 0;
  let count = 0;
  for (const { value } of history.slice(-MAX_PERIODS).reverse()) {
    size += jsonLength(value);
    if (count > 0 && size > MAX_HISTORY_LENGTH) break;
    count += 1;
  }
  return history.slice(history.length - count);
}

function jsonLength(value: JsonValue): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

/** Returns whether the value of a track is current. */
export function isCurrentTrack(track: Track): boolean {
  return track.newest.key !== ENDED_KEY;
}
