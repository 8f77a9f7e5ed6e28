import type { JsonValue } from '#domain/observation/observation.js';
import type { FoldEntry, PropertyState, Track, SourceSupport } from './property-state.js';

/** A {@link FoldEntry} as a tuple. Value and key are left out if they are those of the current value. */
type StoredEntry = readonly [
  id: string,
  source: string,
  method: string,
  t: number,
  r: number,
  evidence: FoldEntry['class'],
  /** 1 for a tentative statement, plus 2 for news. */
  flags: 0 | 1 | 2 | 3,
  value?: JsonValue,
  key?: string,
];

/** A {@link SourceSupport} as a tuple. Its support is 1 if that is its last entry, 0 if it has none. */
type StoredSupport = readonly [
  last: StoredEntry,
  since: number,
  isChallenger: 0 | 1,
  hasDirectEvidence: 0 | 1,
  support: StoredEntry | 0 | 1,
];

type StoredTrack = Omit<Track, 'sources'> & { readonly sources: readonly StoredSupport[] };

type StoredState = Omit<PropertyState, 'tracks'> & { readonly tracks: readonly StoredTrack[] };

/**
 * Serializes a state for storage beside the claim, which is read and written with every observation. The JSON writes
 * sources as tuples, which halves its length.
 */
export function serializeState(state: PropertyState): string {
  const tracks = state.tracks.map(track => ({ ...track, sources: track.sources.map(serializeSupport(track)) }));
  return JSON.stringify({ ...state, tracks } satisfies StoredState);
}

/**
 * Parses a stored state: `deserializeState(serializeState(state))` equals `state`.
 * @throws SyntaxError, TypeError if the text is not a stored state.
 */
export function deserializeState(text: string): PropertyState {
  const stored = JSON.parse(text) as StoredState;
  return {
    ...stored,
    tracks: stored.tracks.map(track => ({ ...track, sources: track.sources.map(deserializeSupport(track)) })),
  };
}

/** Parses a stored state for repairs; undefined if the text is not a stored state. */
export function tryDeserializeState(text: string): PropertyState | undefined {
  try {
    return deserializeState(text);
  } catch {
    return undefined;
  }
}

function serializeSupport({ newest }: Track): (source: SourceSupport) => StoredSupport {
  return ({ last, since, isChallenger, hasDirectEvidence, support }) => [
    serializeEntry(last, newest),
    since,
    isChallenger ? 1 : 0,
    hasDirectEvidence ? 1 : 0,
    support === null ? 0 : support === 'last' ? 1 : serializeEntry(support, newest),
  ];
}

function serializeEntry(entry: FoldEntry, newest: FoldEntry): StoredEntry {
  const { id, source, method, t, r, isTentative, isNews, value, key } = entry;
  const flags = ((isTentative ? 1 : 0) | (isNews ? 2 : 0)) as StoredEntry[6];
  const origin = [id, source, method, t, r, entry.class, flags] as const;
  return key === newest.key && value === newest.value ? origin : [...origin, value, key];
}

function deserializeSupport({ newest }: StoredTrack): (source: StoredSupport) => SourceSupport {
  return ([last, since, isChallenger, hasDirectEvidence, support]) => ({
    last: deserializeEntry(last, newest),
    since,
    isChallenger: isChallenger === 1,
    support: support === 0 ? null : support === 1 ? 'last' : deserializeEntry(support, newest),
    hasDirectEvidence: hasDirectEvidence === 1,
  });
}

function deserializeEntry(stored: StoredEntry, newest: FoldEntry): FoldEntry {
  const [id, source, method, t, r, evidence, flags, value = newest.value, key = newest.key] = stored;
  const [isTentative, isNews] = [(flags & 1) !== 0, (flags & 2) !== 0];
  return { id, source, method, t, r, class: evidence, isTentative, isNews, value, key };
}
