import { compareWeight } from './weight.js';
import { type FoldEntry, MAX_SOURCES, type Track, type SourceSupport } from './property-state.js';

/** The statement by which a source supports the current value, if it does. */
export function supportingEntryOf(voice: SourceSupport): FoldEntry | null {
  return voice.support === 'last' ? voice.last : voice.support;
}

/** The strongest statement of every source that supports the current value. */
export function listSupporters(track: Track): FoldEntry[] {
  return track.voices.map(supportingEntryOf).filter(entry => entry !== null);
}

/** Sources whose latest statement is not the current value. Guesses that yield oppose nothing. */
export function listOpponents(track: Track): SourceSupport[] {
  return track.voices.filter(({ last }) => last.key !== track.newest.key && !last.yields);
}

/** Whether nothing but our own guesses stands behind the current value. */
export function isTentativeTrack(track: Track): boolean {
  return listSupporters(track).every(entry => entry.yields);
}

/**
 * The voices after `entry` became the latest statement of its source; `challenges` says whether it stands against the
 * current value. Voices are in the order of their latest statements.
 */
export function withLatest(voices: readonly SourceSupport[], entry: FoldEntry, challenges: boolean): SourceSupport[] {
  const told = voices.find(voice => voice.last.source === entry.source);
  const support = told ? supportingEntryOf(told) : null;
  const repeats = told !== undefined && told.last.key === entry.key && !entry.isNews;
  const since = repeats ? told.since : entry.t;
  const voice = { last: entry, since, challenges, support, vouches: told?.vouches ?? false };
  return [...voices.filter(other => other !== told), voice];
}

/** The same voices, with `entry`, which is its source's latest, counted for the current value where it is strongest. */
export function withSupport(voices: readonly SourceSupport[], entry: FoldEntry, halfLife: number): SourceSupport[] {
  return voices.map(voice => {
    if (voice.last !== entry) return voice;
    const before = supportingEntryOf(voice);
    const stronger = before === null || compareWeight(entry, before, halfLife) >= 0;
    return { ...voice, support: stronger ? 'last' : before, vouches: voice.vouches || isDirect(entry) };
  });
}

/** Whether a statement is more than an inference. */
export function isDirect(entry: FoldEntry): boolean {
  return entry.class !== 'inferred';
}

/** At most `MAX_VOICES` sources for the current value and as many others: the weakest are forgotten. */
export function limitSources(voices: SourceSupport[], halfLife: number): SourceSupport[] {
  if (voices.length <= MAX_SOURCES) return voices;
  const supporters = selectStrongest(
    voices.filter(voice => voice.support !== null),
    halfLife,
  );
  const others = selectStrongest(
    voices.filter(voice => voice.support === null),
    halfLife,
  );
  return voices.filter(voice => supporters.has(voice) || others.has(voice));
}

function selectStrongest(voices: SourceSupport[], halfLife: number): Set<SourceSupport> {
  if (voices.length <= MAX_SOURCES) return new Set(voices);
  const entryOf = (voice: SourceSupport): FoldEntry => supportingEntryOf(voice) ?? voice.last;
  const ranked = voices.toSorted((one, other) => {
    const byWeight = compareWeight(entryOf(other), entryOf(one), halfLife);
    return byWeight || (entryOf(one).source < entryOf(other).source ? -1 : 1);
  });
  return new Set(ranked.slice(0, MAX_SOURCES));
}
