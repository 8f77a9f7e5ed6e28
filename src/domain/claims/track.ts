import type { Json } from '#domain/observation/observation.js';
import { isSameSpelling } from './canon.js';
import { compareText } from './order.js';
import { newestPeriods } from './periods.js';
import type { ClaimRules, PropertyRule } from './rules.js';
import { compareWeight, jointStrength } from './strength.js';
import type { Entry, Track, Voice } from './state.js';
import { isMatch } from './trust.js';
import { bounded, isFirm, isGuess, supportersOf, withLast, withSupport } from './voices.js';

/** The rules of one property, as a step of the fold needs them. */
export type FoldRules = PropertyRule & Pick<ClaimRules, 'takeoverShare' | 'repeatTakeoverShare'>;

/** The rules of a property together with the workspace's thresholds. */
export function foldRules(rules: ClaimRules, rule: PropertyRule): FoldRules {
  const { takeoverShare, repeatTakeoverShare } = rules;
  return { ...rule, takeoverShare, repeatTakeoverShare };
}

/** A line that begins with its first statement. */
export function begun(key: string, entry: Entry): Track {
  const voice: Voice = { last: entry, since: entry.t, challenges: false, support: 'last', vouches: isFirm(entry) };
  return { key, from: entry.t, newest: entry, at: entry.t, voices: [voice], count: 1, history: [], periods: 0 };
}

/** The line after one more statement, which is later in order than all before it. */
export function told(rules: FoldRules, track: Track, entry: Entry): Track {
  const next = entry.key === track.newest.key ? supported(rules, track, entry) : challenged(rules, track, entry);
  return { ...next, count: track.count + 1, voices: bounded(next.voices, rules.halfLife) };
}

/** The value to show: the newest supporter's, in the strongest one's spelling where only the spelling differs. */
export function shownValue(track: Track, halfLife: number): Json {
  const strongest = strongestOf(track, halfLife);
  return isSameSpelling(track.newest.value, strongest.value) ? strongest.value : track.newest.value;
}

/**
 * The strongest statement for the current value; of several that weigh the same the newest, then the one with the
 * greater id, so that the choice does not depend on the order in which the sources spoke last.
 */
export function strongestOf(track: Track, halfLife: number): Entry {
  return supportersOf(track).reduce((best, entry) => {
    const order = compareWeight(entry, best, halfLife) || entry.t - best.t || compareText(entry.id, best.id);
    return order > 0 ? entry : best;
  });
}

function supported(rules: FoldRules, track: Track, entry: Entry): Track {
  const voices = withSupport(withLast(track.voices, entry, false), entry, rules.halfLife);
  return { ...track, voices, newest: entry, at: entry.t };
}

function challenged(rules: FoldRules, track: Track, entry: Entry): Track {
  const voices = withLast(track.voices, entry, true);
  const guess = isGuess(track);
  if (entry.yields && !guess) return { ...track, voices };
  const next = { ...track, voices, at: entry.t };
  return isTakeover(rules, next, entry, guess) ? displaced(rules, next, entry) : next;
}

/** Whether the sources that state the value of `entry` outweigh the support of the current value. */
function isTakeover(rules: FoldRules, track: Track, entry: Entry, guess: boolean): boolean {
  if (rules.liftedBy && isSet(track)) return isMatch(rules.liftedBy, entry.source, entry.method);
  if (rules.latest || (guess && !entry.yields)) return true;
  const challengers = challengersWith(track, entry);
  const isRepeat = challengers.every(voice => voice.since < track.from);
  if (rules.liftedBy && !isRepeat) return true;
  const share = isRepeat ? rules.repeatTakeoverShare : rules.takeoverShare;
  const strength = (entries: Entry[]): number => jointStrength(entries, entry.t, rules.halfLife);
  return strength(challengers.map(voice => voice.last)) >= share * strength(supportersOf(track));
}

/** Whether a wish stands, such as not to be contacted. It is believed at once, and lifted only by who may. */
function isSet(track: Track): boolean {
  return track.newest.value !== null && track.newest.value !== false;
}

/** The challengers that state the value of `entry`, ordered by their latest statement; guesses only help guesses. */
function challengersWith(track: Track, { key, yields }: Entry): Voice[] {
  return track.voices.filter(({ challenges, last }) => challenges && last.key === key && (yields || !last.yields));
}

function displaced(rules: FoldRules, track: Track, entry: Entry): Track {
  const first = challengersWith(track, entry)[0]?.last ?? entry;
  const from = Math.max(track.from, first.t);
  const voices = track.voices.map((voice): Voice => {
    // A source that stated this value before and never took it back supports it again, though it may not challenge.
    const joins = voice.last.key === entry.key;
    if (joins) return { ...voice, challenges: false, support: 'last', vouches: isFirm(voice.last) };
    return { ...voice, support: null, vouches: false };
  });
  const next = { ...track, from, newest: entry, voices };
  if (from === track.from) return next;
  const ended = { value: shownValue(track, rules.halfLife), from: track.from, to: from, endedBy: first.id };
  return { ...next, history: newestPeriods([...track.history, ended]), periods: track.periods + 1 };
}
