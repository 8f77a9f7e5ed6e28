import type { JsonValue } from '#domain/observation/observation.js';
import { canonicalKey, ENDED_KEY } from './canonical-key.js';
import { parseMemberChanges } from './member-changes.js';
import { compareText } from './statement-order.js';
import { type FoldEntry, MAX_TRACKS, type Track } from './property-state.js';
import { startTrack, type FoldRules, appendTo } from './track.js';

/**
 * Returns the tracks of a property after more statements, which must be in order and later than all before. A
 * single-valued property has one track. The arguments are not changed.
 */
export function applyEntries(rules: FoldRules, tracks: readonly Track[], entries: readonly FoldEntry[]): Track[] {
  const tracksByKey = new Map(tracks.map(track => [track.key, track]));
  for (const entry of entries) {
    if (rules.cardinality === 'many') applyMultiEntry(rules, tracksByKey, entry);
    else applyEntry(rules, tracksByKey, '', entry);
  }
  return [...tracksByKey.values()].sort((one, other) => compareText(one.key, other.key));
}

/** Returns whether the value of a track is current. */
export function isCurrentTrack(track: Track): boolean {
  return track.newest.key !== ENDED_KEY;
}

function applyEntry(rules: FoldRules, tracksByKey: Map<string, Track>, key: string, entry: FoldEntry): void {
  const track = tracksByKey.get(key);
  tracksByKey.set(key, track ? appendTo(rules, track, entry) : startTrack(key, entry));
}

/** Each value is a track of its own, on which it is either stated or ended. Null ends the value of every track. */
function applyMultiEntry(rules: FoldRules, tracksByKey: Map<string, Track>, entry: FoldEntry): void {
  if (entry.value === null) {
    for (const key of tracksByKey.keys()) applyEntry(rules, tracksByKey, key, entry);
    return;
  }
  for (const [key, change] of groupByMember(rules, entry)) applyEntry(rules, tracksByKey, key, change);
  if (tracksByKey.size > MAX_TRACKS) for (const { key } of findExcessTracks(tracksByKey)) tracksByKey.delete(key);
}

/** Groups a statement by value; of several changes to one value, the last counts. */
function groupByMember(rules: FoldRules, entry: FoldEntry): Map<string, FoldEntry> {
  const changes = new Map<string, FoldEntry>();
  for (const { value, ended } of parseMemberChanges(entry.value)) {
    const key = canonicalKey(value, rules.normaliser);
    changes.set(key, ended ? withValue(entry, null, ENDED_KEY) : withValue(entry, value, key));
  }
  return changes;
}

function withValue(entry: FoldEntry, value: JsonValue, key: string): FoldEntry {
  return { ...entry, value, key };
}

/** Returns the tracks beyond the bound. Current values are kept before ended ones, newer before older. */
function findExcessTracks(tracksByKey: ReadonlyMap<string, Track>): Track[] {
  const ranked = [...tracksByKey.values()].sort(
    (one, other) =>
      Number(isCurrentTrack(other)) - Number(isCurrentTrack(one)) ||
      other.at - one.at ||
      compareText(one.key, other.key),
  );
  return ranked.slice(MAX_TRACKS);
}
