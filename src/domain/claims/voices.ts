import { compareWeight } from './strength.js';
import { type Entry, MAX_VOICES, type Track, type Voice } from './state.js';

/** The statement by which a source supports the current value, if it does. */
export function supportOf(voice: Voice): Entry | null {
  return voice.support === 'last' ? voice.last : voice.support;
}

/** The strongest statement of every source that supports the current value. */
export function supportersOf(track: Track): Entry[] {
  return track.voices.map(supportOf).filter(entry => entry !== null);
}

/** Sources whose latest statement is not the current value. Guesses that yield oppose nothing. */
export function opponentsOf(track: Track): Voice[] {
  return track.voices.filter(({ last }) => last.key !== track.newest.key && !last.yields);
}

/** Whether nothing but our own guesses stands behind the current value. */
export function isGuess(track: Track): boolean {
  return supportersOf(track).every(entry => entry.yields);
}

/**
 * The voices after `entry` became the latest statement of its source; `challenges` says whether it stands against the
 * current value. Voices are in the order of their latest statements.
 */
export function withLast(voices: readonly Voice[], entry: Entry, challenges: boolean): Voice[] {
  const told = voices.find(voice => voice.last.source === entry.source);
  const support = told ? supportOf(told) : null;
  const repeats = told !== undefined && told.last.key === entry.key && !entry.isNews;
  const since = repeats ? told.since : entry.t;
  const voice = { last: entry, since, challenges, support, vouches: told?.vouches ?? false };
  return [...voices.filter(other => other !== told), voice];
}

/** The same voices, with `entry`, which is its source's latest, counted for the current value where it is strongest. */
export function withSupport(voices: readonly Voice[], entry: Entry, halfLife: number): Voice[] {
  return voices.map(voice => {
    if (voice.last !== entry) return voice;
    const before = supportOf(voice);
    const stronger = before === null || compareWeight(entry, before, halfLife) >= 0;
    return { ...voice, support: stronger ? 'last' : before, vouches: voice.vouches || isFirm(entry) };
  });
}

/** Whether a statement is more than an inference. */
export function isFirm(entry: Entry): boolean {
  return entry.class !== 'inferred';
}

/** At most `MAX_VOICES` sources for the current value and as many others: the weakest are forgotten. */
export function bounded(voices: Voice[], halfLife: number): Voice[] {
  if (voices.length <= MAX_VOICES) return voices;
  const supporters = strongest(
    voices.filter(voice => voice.support !== null),
    halfLife,
  );
  const others = strongest(
    voices.filter(voice => voice.support === null),
    halfLife,
  );
  return voices.filter(voice => supporters.has(voice) || others.has(voice));
}

function strongest(voices: Voice[], halfLife: number): Set<Voice> {
  if (voices.length <= MAX_VOICES) return new Set(voices);
  const entryOf = (voice: Voice): Entry => supportOf(voice) ?? voice.last;
  const ranked = voices.toSorted((one, other) => {
    const byWeight = compareWeight(entryOf(other), entryOf(one), halfLife);
    return byWeight || (entryOf(one).source < entryOf(other).source ? -1 : 1);
  });
  return new Set(ranked.slice(0, MAX_VOICES));
}
