import type { Json } from '#domain/observation/observation.js';
import { canonKey, ENDED } from './canon.js';
import { membersOf } from './members.js';
import { compareText } from './order.js';
import { type Entry, MAX_TRACKS, type Track } from './state.js';
import { begun, type FoldRules, told } from './track.js';

/**
 * The lines of a property after more statements, which are in order and later than all before. A single-valued
 * property has one line. Does not change what it is given.
 */
export function tracksAfter(rules: FoldRules, tracks: readonly Track[], entries: readonly Entry[]): Track[] {
  const lines = new Map(tracks.map(track => [track.key, track]));
  for (const entry of entries) {
    if (rules.cardinality === 'many') tellMany(rules, lines, entry);
    else tell(rules, lines, '', entry);
  }
  return [...lines.values()].sort((one, other) => compareText(one.key, other.key));
}

/** Whether a line of a many-valued property says that its value holds. */
export function isLive(track: Track): boolean {
  return track.newest.key !== ENDED;
}

function tell(rules: FoldRules, lines: Map<string, Track>, key: string, entry: Entry): void {
  const line = lines.get(key);
  lines.set(key, line ? told(rules, line, entry) : begun(key, entry));
}

/** Each value is a line of its own, on which the value is either stated or ended; null ends on every line there is. */
function tellMany(rules: FoldRules, lines: Map<string, Track>, entry: Entry): void {
  if (entry.value === null) {
    for (const key of lines.keys()) tell(rules, lines, key, entry);
    return;
  }
  for (const [key, said] of saidByKey(rules, entry)) tell(rules, lines, key, said);
  if (lines.size > MAX_TRACKS) for (const { key } of leastOf(lines)) lines.delete(key);
}

/** What the statement says of each value; of several words on one value, the last counts. */
function saidByKey(rules: FoldRules, entry: Entry): Map<string, Entry> {
  const said = new Map<string, Entry>();
  for (const { value, ended } of membersOf(entry.value)) {
    const key = canonKey(value, rules.normaliser);
    said.set(key, ended ? entryOf(entry, null, ENDED) : entryOf(entry, value, key));
  }
  return said;
}

function entryOf(entry: Entry, value: Json, key: string): Entry {
  return { ...entry, value, key };
}

/** The lines beyond the bound. Values that hold are kept before those that ended, the newest before the older. */
function leastOf(lines: ReadonlyMap<string, Track>): Track[] {
  const ranked = [...lines.values()].sort(
    (one, other) => Number(isLive(other)) - Number(isLive(one)) || other.at - one.at || compareText(one.key, other.key),
  );
  return ranked.slice(MAX_TRACKS);
}
