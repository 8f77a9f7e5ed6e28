import type { Json } from '#domain/observation/observation.js';
import type { Entry, PropertyState, Track, Voice } from './state.js';

/** An {@link Entry} without the names of its members; value and key are left out where they are the current ones. */
type KeptEntry = readonly [
  id: string,
  source: string,
  method: string,
  t: number,
  r: number,
  evidence: Entry['class'],
  /** 1 for a guess that yields, plus 2 for news. */
  flags: 0 | 1 | 2 | 3,
  value?: Json,
  key?: string,
];

/** A {@link Voice} without names; its support is 1 where that is its last entry, 0 where it has none. */
type KeptVoice = readonly [
  last: KeptEntry,
  since: number,
  challenges: 0 | 1,
  vouches: 0 | 1,
  support: KeptEntry | 0 | 1,
];

/** The voices as plain voices: how they were kept before. */
type KeptTrack = Omit<Track, 'voices'> & { readonly voices: readonly KeptVoice[] | readonly Voice[] };

type KeptState = Omit<PropertyState, 'tracks'> & { readonly tracks: readonly KeptTrack[] };

/**
 * The text that a state is kept as beside the claim, read and written with every observation: JSON, in which what it has
 * of sources is folded to about half the length.
 */
export function toKept(state: PropertyState): string {
  const tracks = state.tracks.map(track => ({ ...track, voices: track.voices.map(keptVoice(track)) }));
  return JSON.stringify({ ...state, tracks } satisfies KeptState);
}

/**
 * The state that a text stands for: `fromKept(toKept(state))` equals `state`.
 * @throws SyntaxError, TypeError where it stands for none.
 */
export function fromKept(text: string): PropertyState {
  const kept = JSON.parse(text) as KeptState;
  return { ...kept, tracks: kept.tracks.map(track => ({ ...track, voices: track.voices.map(voiceOf(track)) })) };
}

/** The same where something is to be put right: undefined for what stands for no state. */
export function fromKeptIfSound(text: string): PropertyState | undefined {
  try {
    return fromKept(text);
  } catch {
    return undefined;
  }
}

function keptVoice({ newest }: Track): (voice: Voice) => KeptVoice {
  return ({ last, since, challenges, vouches, support }) => [
    keptEntry(last, newest),
    since,
    challenges ? 1 : 0,
    vouches ? 1 : 0,
    support === null ? 0 : support === 'last' ? 1 : keptEntry(support, newest),
  ];
}

function keptEntry(entry: Entry, newest: Entry): KeptEntry {
  const { id, source, method, t, r, yields, isNews, value, key } = entry;
  const flags = ((yields ? 1 : 0) | (isNews ? 2 : 0)) as KeptEntry[6];
  const origin = [id, source, method, t, r, entry.class, flags] as const;
  return key === newest.key && value === newest.value ? origin : [...origin, value, key];
}

function voiceOf({ newest }: KeptTrack): (voice: KeptVoice | Voice) => Voice {
  return voice => {
    if (!isKeptVoice(voice)) return voice;
    const [last, since, challenges, vouches, support] = voice;
    return {
      last: entryOf(last, newest),
      since,
      challenges: challenges === 1,
      support: support === 0 ? null : support === 1 ? 'last' : entryOf(support, newest),
      vouches: vouches === 1,
    };
  };
}

function entryOf(kept: KeptEntry, newest: Entry): Entry {
  const [id, source, method, t, r, evidence, flags, value = newest.value, key = newest.key] = kept;
  const [yields, isNews] = [(flags & 1) !== 0, (flags & 2) !== 0];
  return { id, source, method, t, r, class: evidence, yields, isNews, value, key };
}

function isKeptVoice(voice: KeptVoice | Voice): voice is KeptVoice {
  return Array.isArray(voice);
}
