import type { JsonValue } from '#domain/observation/observation.js';
import { isSameSpelling } from './canonical-key.js';
import { compareText } from './statement-order.js';
import { keepNewestPeriods } from './periods.js';
import type { ClaimRules, PropertyRule } from './rules.js';
import { compareWeight, jointStrength } from './weight.js';
import type { FoldEntry, Track, SourceSupport } from './property-state.js';
import { isTrustMatch } from './trust.js';
import { limitSources, isDirect, isTentativeTrack, listSupporters, withLatest, withSupport } from './source-support.js';

/** The rules that one step of the fold needs. */
export type FoldRules = PropertyRule & Pick<ClaimRules, 'takeoverShare' | 'repeatTakeoverShare'>;

/** Combines the rule of a property with the thresholds of the workspace. */
export function toFoldRules(rules: ClaimRules, rule: PropertyRule): FoldRules {
  const { takeoverShare, repeatTakeoverShare } = rules;
  return { ...rule, takeoverShare, repeatTakeoverShare };
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
  const next = entry.key === track.newest.key ? applySupport(rules, track, entry) : applyChallenge(rules, track, entry);
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
  return { ...track, sources, newest: entry, at: entry.t };
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
  if (rules.clearableBy && isOptOutSet(track)) return isTrustMatch(rules.clearableBy, entry.source, entry.method);
  if (rules.latestWins || (isTentative && !entry.isTentative)) return true;
  const challengers = findChallengers(track, entry);
  const isRepeat = challengers.every(source => source.since < track.from);
  if (rules.clearableBy && !isRepeat) return true;
  const share = isRepeat ? rules.repeatTakeoverShare : rules.takeoverShare;
  const strength = (entries: FoldEntry[]): number => jointStrength(entries, entry.t, rules.halfLife);
  return strength(challengers.map(source => source.last)) >= share * strength(listSupporters(track));
}

/** Returns whether an opt-out is set. Opt-outs apply immediately; only trusted sources can clear them. */
function isOptOutSet(track: Track): boolean {
  return track.newest.value !== null && track.newest.value !== false;
}

/**
 * Returns the challengers that state the value of `entry`, ordered by latest statement. Tentative ones only help
 * tentative ones.
 */
function findChallengers(track: Track, { key, isTentative }: FoldEntry): SourceSupport[] {
  return track.sources.filter(
    ({ isChallenger, last }) => isChallenger && last.key === key && (isTentative || !last.isTentative),
  );
}

function displaceValue(rules: FoldRules, track: Track, entry: FoldEntry): Track {
  const first = findChallengers(track, entry)[0]?.last ?? entry;
  const from = Math.max(track.from, first.t);
  const sources = track.sources.map((source): SourceSupport => {
    // A source that stated this value before and never took it back supports it again, though it may not challenge.
    const joins = source.last.key === entry.key;
    if (joins) return { ...source, isChallenger: false, support: 'last', hasDirectEvidence: isDirect(source.last) };
    return { ...source, support: null, hasDirectEvidence: false };
  });
  const next = { ...track, from, newest: entry, sources };
  if (from === track.from) return next;
  const ended = { value: selectDisplayValue(track, rules.halfLife), from: track.from, to: from, endedBy: first.id };
  return { ...next, history: keepNewestPeriods([...track.history, ended]), periods: track.periods + 1 };
}
