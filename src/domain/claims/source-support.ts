import { compareWeight } from './weight.js';
import { type FoldEntry, MAX_SOURCES, type Track, type SourceSupport } from './property-state.js';

/** Returns the statement by which a source supports the current value, or null. */
export function supportingEntryOf(source: SourceSupport): FoldEntry | null {
  return source.support === 'last' ? source.last : source.support;
}

/** Returns the strongest statement of every source that supports the current value. */
export function listSupporters(track: Track): FoldEntry[] {
  return track.sources.map(supportingEntryOf).filter(entry => entry !== null);
}

/** Returns the sources whose latest statement is not the current value. Tentative statements never oppose. */
export function listOpponents(track: Track): SourceSupport[] {
  return track.sources.filter(({ last }) => last.key !== track.newest.key && !last.isTentative);
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
