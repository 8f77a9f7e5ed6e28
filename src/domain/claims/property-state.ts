import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
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
}

/** A sequence of values that replace each other: a single-valued property, or one value of a many-valued property. */
export interface Track {
  /** {@link canonicalKey} of the value of this track; empty for a single-valued property. */
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
