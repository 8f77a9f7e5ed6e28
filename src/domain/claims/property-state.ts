import type { Instant } from '../time/instant.js';
import { type JsonValue, isPlainObject } from '../observation/observation.js';
import type { EvidenceClass } from './rules.js';

/** What an observation states about a property: a state row itself, or a fact that an event implies. */
export interface Statement {
  /** ID of the observation. */
  id: string;
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  digest: string;
  /** Whether an event implies it. Each event is news, while a state may only repeat what its source stated before. */
  event: boolean;
  /** Set if it ends the value only where that is an opt-out. */
  liftsOptOut?: true;
  /** Key of the e-mail address that it is about, of a property with a value for each address. */
  address?: string;
}

/** A statement in the form that the fold stores. */
export interface FoldEntry {
  id: string;
  source: string;
  method: string;
  t: Instant;
  r: number;
  class: EvidenceClass;
  isTentative: boolean;
  /** Whether the statement counts as new even if its source stated the same before: an event, or a correction. */
  isNews: boolean;
  value: JsonValue;
  /** {@link canonicalKey} of the value. */
  key: string;
  /** Set if the statement counts only where the current value is an opt-out, which it ends. It is not stored. */
  liftsOptOut?: true;
  /** Key of the e-mail address that the statement is about. It is that of the track, so it is not stored. */
  address?: string;
}

/** Position of a statement in the fold order: time, then reliability, then content, then ID. */
export interface OrderKey {
  t: Instant;
  r: number;
  digest: string;
  id: string;
}

/** Everything that is stored of one source. */
export interface SourceSupport {
  /** Its latest statement. */
  last: FoldEntry;
  /** When the source began to state that value. A repeat does not change it, unless the repeat is news itself. */
  since: Instant;
  /** Whether that statement competes to replace the current value. */
  isChallenger: boolean;
  /** Its strongest statement for the current value; 'last' if that is the latest one. */
  support: FoldEntry | 'last' | null;
  /** Whether any of its statements for the current value is more than an inference. */
  hasDirectEvidence: boolean;
}

/** A value that was replaced. */
export interface ValuePeriod {
  value: JsonValue;
  from: Instant;
  to: Instant;
  /** ID of the observation that started the next period. */
  endedBy: string;
  /** Set if only our own guesses supported the value. */
  isTentative?: true;
}

/**
 * A sequence of values that replace each other: a single-valued property, one value of a many-valued property, or the
 * value for one address.
 */
export interface Track {
  /** {@link canonicalKey} of the value of this track, or key of its address; empty for a single-valued property. */
  key: string;
  /** Start of the current value. */
  from: Instant;
  /** The latest statement for the current value. */
  newest: FoldEntry;
  /**
   * Time of the latest relevant statement, at which confidence is computed. Tentative statements that gave way are not
   * relevant.
   */
  at: Instant;
  /** In the order of their latest statements. */
  sources: SourceSupport[];
  /** Number of statements folded into this track. */
  count: number;
  /** Oldest first. Only the newest are stored; `periods` counts all. */
  history: ValuePeriod[];
  periods: number;
}

/**
 * The fold of the log of one property of one entity. Its size is bounded, whatever the length of the log, and it
 * survives JSON unchanged. It is stored beside the claim, so that a later observation is folded without reading the
 * log.
 */
export interface PropertyState {
  /** Version of the rules it was folded with; empty before the first statement. */
  trust: string;
  /** Number of statements folded. */
  count: number;
  /** Number of future statements that are not folded yet. The earliest is due at `nextChangeAt`. */
  pending: number;
  nextChangeAt: Instant | null;
  greatest: OrderKey | null;
  /** At most one for a single-valued property; sorted by key. */
  tracks: Track[];
  /** Of a property with a value for each address: key of the track that the claim presents, or null if none applies. */
  address?: string | null;
  /** Of the property `email`: when mail to the current address bounced; null while it does not count as bounced. */
  bouncedAt?: Instant | null;
}

/** Returns the track that the claim of a property with one value presents; undefined if there is none. */
export function findPresentedTrack({ tracks, address }: PropertyState): Track | undefined {
  return address === undefined ? tracks[0] : tracks.find(({ key }) => key === address);
}

/** Returns the state of a property without statements. */
export function emptyState(): PropertyState {
  return { trust: '', count: 0, pending: 0, nextChangeAt: null, greatest: null, tracks: [] };
}

/** Maximum number of sources stored per track for the current value, and as many against it. */
export const MAX_SOURCES = 64;

/** Maximum number of values stored of a many-valued property. */
export const MAX_TRACKS = 512;

/** Maximum number of past periods stored, and of the characters of all their values. */
export const MAX_PERIODS = 32;
export const MAX_HISTORY_LENGTH = 32 * 1024;

/**
 * Compares two statements in fold order: time, then reliability (of two at one instant the more reliable is folded
 * last), then digest, then ID. It does not depend on the order of arrival.
 */
export function compareOrder(one: OrderKey, other: OrderKey): number {
  return one.t - other.t || one.r - other.r || compareText(one.digest, other.digest) || compareText(one.id, other.id);
}

/** Compares by code unit, which is the same on every machine. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** One value of a many-valued property that a statement adds or ends. */
export interface MemberChange {
  value: JsonValue;
  ended: boolean;
}

/** Ends one value of many: `{"$end": value}`. */
const END_MARKER = '$end';

/**
 * Parses a statement about a many-valued property: an array adds each member, `{"$end": value}` ends that value (or
 * each member of an array), anything else adds itself. Null members are ignored. A statement that is null as a whole
 * ends all values and has no members.
 */
export function parseMemberChanges(value: JsonValue): MemberChange[] {
  return Array.isArray(value) ? value.flatMap(parseMemberChange) : parseMemberChange(value);
}

function parseMemberChange(value: JsonValue): MemberChange[] {
  const ending = isPlainObject(value) && Object.keys(value).length === 1 ? value[END_MARKER] : undefined;
  const ends = Array.isArray(ending) ? ending : ending === undefined ? [] : [ending];
  const members = ending === undefined ? [{ value, ended: false }] : ends.map(end => ({ value: end, ended: true }));
  return members.filter(member => member.value !== null);
}

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
