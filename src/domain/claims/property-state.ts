import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { EvidenceClass } from './rules.js';

/** Something that an observation says about a property: a state row itself, or what follows from an event. */
export interface Statement {
  /** Of the observation. */
  id: string;
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  digest: string;
  /** Whether an event implies it: each event is news, while a state may only repeat what its source stated before. */
  event: boolean;
}

/** A statement as the fold keeps it. */
export interface FoldEntry {
  id: string;
  source: string;
  method: string;
  t: Instant;
  r: number;
  class: EvidenceClass;
  yields: boolean;
  /** Begins anew what its source states, though that may be what it stated before: an event, or a correction. */
  isNews: boolean;
  value: JsonValue;
  /** `canonKey` of the value. */
  key: string;
}

/** Place of a statement in the order of folding: time, then reliability, then content, then id. */
export interface OrderKey {
  t: Instant;
  r: number;
  digest: string;
  id: string;
}

/** All that is kept of one source. */
export interface SourceSupport {
  /** Its latest statement. */
  last: FoldEntry;
  /** When the source began to state that value; a repeat leaves it as it was, unless the repeat is news itself. */
  since: Instant;
  /** Whether that statement stands ready to displace the current value. */
  challenges: boolean;
  /** Its strongest statement for the current value; 'last' when that is the latest one. */
  support: FoldEntry | 'last' | null;
  /** Whether any of its statements for the current value is more than an inference. */
  vouches: boolean;
}

/** A value that was displaced. */
export interface ValuePeriod {
  value: JsonValue;
  from: Instant;
  to: Instant;
  /** Id of the observation that began what came after. */
  endedBy: string;
}

/** One line of values that displace each other: a whole single-valued property, or one value of a many-valued one. */
export interface Track {
  /** `canonKey` of the value this line is about; empty for a single-valued property. */
  key: string;
  /** Start of the current value. */
  from: Instant;
  /** The latest statement for the current value. */
  newest: FoldEntry;
  /** The latest statement that bears on the value: all but guesses that gave way. The time confidence is taken at. */
  at: Instant;
  /** In the order of their latest statements. */
  voices: SourceSupport[];
  /** Statements folded into this line. */
  count: number;
  /** Oldest first; only the newest are kept, `periods` counts all. */
  history: ValuePeriod[];
  periods: number;
}

/**
 * What the log of one property of one entity says, small whatever the length of the log. Survives JSON unchanged.
 * Stored beside the claim, so that a later observation is folded without reading the log.
 */
export interface PropertyState {
  /** Version of the rules it was folded with; empty before the first statement. */
  trust: string;
  /** Statements folded. */
  count: number;
  /** Statements that lie in the future and are not folded yet; the earliest of them is due at `nextChangeAt`. */
  pending: number;
  nextChangeAt: Instant | null;
  greatest: OrderKey | null;
  /** At most one for a single-valued property; sorted by key. */
  tracks: Track[];
}

/** The state of a property of which nothing was ever said. */
export function emptyState(): PropertyState {
  return { trust: '', count: 0, pending: 0, nextChangeAt: null, greatest: null, tracks: [] };
}

/** Sources kept per line on each side, for the current value and against it. */
export const MAX_SOURCES = 64;

/** Values of a many-valued property that are kept. */
export const MAX_TRACKS = 512;

/** Displaced values that are kept, and the most characters they may take together. */
export const MAX_PERIODS = 32;
export const MAX_HISTORY_LENGTH = 32 * 1024;
