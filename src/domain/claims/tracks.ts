import { comparisonKey } from '../comparison/comparison-key.js';
import { ENDED_KEY } from '../comparison/canonical-key.js';
import type { JsonValue } from '../observation/observation.js';
import { compareText, type FoldEntry, type Track, MAX_TRACKS, parseMemberChanges } from './property-state.js';
import { isOptOut } from './rules.js';
import { appendTo, type FoldRules, isCurrentTrack, startTrack } from './track.js';
import { isTrustMatch } from './trust.js';

/**
 * Returns the tracks of a property after more statements, which must be in order and later than all before. A
 * single-valued property has one track. The arguments are not changed.
 */
export function applyEntries(rules: FoldRules, tracks: readonly Track[], entries: readonly FoldEntry[]): Track[] {
  const tracksByKey = new Map(tracks.map(track => [track.key, track]));
  for (const entry of entries) {
    if (rules.isPerAddress) applyAddressEntry(rules, tracksByKey, entry);
    else if (rules.cardinality === 'many') applyMultiEntry(rules, tracksByKey, entry);
    else applyEntry(rules, tracksByKey, '', entry);
  }
  return [...tracksByKey.values()].sort((one, other) => compareText(one.key, other.key));
}

function applyEntry(rules: FoldRules, tracksByKey: Map<string, Track>, key: string, entry: FoldEntry): void {
  const track = tracksByKey.get(key);
  const { liftsOptOut, ...stated } = entry;
  if (liftsOptOut && !(track && isOptOut(rules, track.newest.value))) return;
  tracksByKey.set(key, track ? appendTo(rules, track, stated) : startTrack(key, stated));
}

/**
 * Each address is a track of its own. A statement that names none has the track with the empty key, except where it ends
 * a fact, which then ends for every address.
 */
function applyAddressEntry(rules: FoldRules, tracksByKey: Map<string, Track>, entry: FoldEntry): void {
  const { address, ...stated } = entry;
  const isAboutAll = address === undefined && stated.value === null && tracksByKey.size > 0;
  const keys = isAboutAll ? [...tracksByKey.keys()] : [address ?? ''];
  const lifted = address === undefined && !isAboutAll && canLift(rules, stated) ? [...tracksByKey.keys()] : [];
  for (const key of keys) applyEntry(rules, tracksByKey, key, stated);
  const lift = { ...withValue(stated, null, ENDED_KEY), liftsOptOut: true } as const;
  for (const key of lifted) if (!keys.includes(key)) applyEntry(rules, tracksByKey, key, lift);
  dropExcessTracks(tracksByKey);
}

/** A person who corrects the status without naming an address lifts the opt-outs of all. */
function canLift(rules: FoldRules, { value, source, method }: FoldEntry): boolean {
  return rules.clearableBy !== undefined && !isOptOut(rules, value) && isTrustMatch(rules.clearableBy, source, method);
}

/** Each value is a track of its own, on which it is either stated or ended. Null ends the value of every track. */
function applyMultiEntry(rules: FoldRules, tracksByKey: Map<string, Track>, entry: FoldEntry): void {
  if (entry.value === null) {
    for (const key of tracksByKey.keys()) applyEntry(rules, tracksByKey, key, entry);
    return;
  }
  for (const [key, change] of groupByMember(rules, entry)) applyEntry(rules, tracksByKey, key, change);
  dropExcessTracks(tracksByKey);
}

function dropExcessTracks(tracksByKey: Map<string, Track>): void {
  if (tracksByKey.size > MAX_TRACKS) for (const { key } of findExcessTracks(tracksByKey)) tracksByKey.delete(key);
}

/** Groups a statement by value; of several changes to one value, the last counts. */
function groupByMember(rules: FoldRules, entry: FoldEntry): Map<string, FoldEntry> {
  const changes = new Map<string, FoldEntry>();
  for (const { value, ended } of parseMemberChanges(entry.value)) {
    const key = comparisonKey(rules.comparison, value);
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
