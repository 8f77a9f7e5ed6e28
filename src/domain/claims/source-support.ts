import { compareWeight } from './weight.js';
import { type FoldEntry, MAX_SOURCES, type Track, type SourceSupport } from './property-state.js';

/** Returns the statement by which a source supports the current value, or null. */
export function supportingEntryOf(voice: SourceSupport): FoldEntry | null {
  return voice.support === 'last' ? voice.last : voice.support;
}

/** Returns the strongest statement of every source that supports the current value. */
export function listSupporters(track: Track): FoldEntry[] {
  return track.voices.map(supportingEntryOf).filter(entry => entry !== null);
}

/** Returns the sources whose latest statement is not the current value. Tentative statements never oppose. */
export function listOpponents(track: Track): SourceSupport[] {
  return track.voices.filter(({ last }) => last.key !== track.newest.key && !last.yields);
}

/** Returns whether only tentative statements support the current value. */
export function isTentativeTrack(track: Track): boolean {
  return listSupporters(track).every(entry => entry.yields);
}

/**
 * Returns the sources with `entry` as the latest statement of its source, ordered by latest statement. `isChallenger`
 * says whether it competes with the current value.
 */
export function withLatest(voices: readonly SourceSupport[], entry: FoldEntry, challenges: boolean): SourceSupport[] {
  const told = voices.find(voice => voice.last.source === entry.source);
  const support = told ? supportingEntryOf(told) : null;
  const repeats = told !== undefined && told.last.key === entry.key && !entry.isNews;
  const since = repeats ? told.since : entry.t;
  const voice = { last: entry, since, challenges, support, vouches: told?.vouches ?? false };
  return [...voices.filter(other => other !== told), voice];
}

/** Returns the sources with `entry`, the latest of its source, counted as support where it is the strongest. */
export function withSupport(voices: readonly SourceSupport[], entry: FoldEntry, halfLife: number): SourceSupport[] {
  return voices.map(voice => {
    if (voice.last !== entry) return voice;
    const before = supportingEntryOf(voice);
    const stronger = before === null || compareWeight(entry, before, halfLife) >= 0;
    return { ...voice, support: stronger ? 'last' : before, vouches: voice.vouches || isDirect(entry) };
  });
}

/** Returns whether a statement is more than an inference. */
export function isDirect(entry: FoldEntry): boolean {
  return entry.class !== 'inferred';
}

/** Returns at most {@link MAX_SOURCES} sources for the current value and as many others; drops the weakest. */
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
