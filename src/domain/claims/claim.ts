import type { JsonValue } from '../observation/observation.js';
import type { EpistemicClass, Freshness } from './confidence.js';

/** A statement that supports a claim. Times are ISO 8601 UTC with microseconds. */
export interface ClaimSource {
  observation_id: string;
  source: string;
  method: string;
  observed_at: string;
  /** Reliability of the source and method, 0..1. */
  r: number;
  /** Weight of the statement in the confidence, 0..1: `r` decayed by the property's half-life. */
  weight: number;
}

/** The latest statement of a source that states another value. */
export interface ClaimOpponent {
  observation_id: string;
  source: string;
  value: JsonValue;
  observed_at: string;
  /** `r` decayed by an eighth of the half-life (by default), 0..1. */
  weight: number;
  /** One sentence that explains why it did not prevail. */
  why: string;
}

/** A value that held before. */
export interface ClaimPeriod {
  value: JsonValue;
  valid_from: string;
  valid_to: string;
  /** ID of the observation that started the next period. */
  ended_by: string;
}

/** A derived fact with everything a caller needs to judge it, in the format of responses (which add `entity_id`). */
export interface Claim {
  property: string;
  /** For a property with many values: the list of current values. */
  value: JsonValue;
  value_type: 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
  status: 'current' | 'ended';
  /** 0..1, four decimals; independent of the time of reading. */
  confidence: number;
  freshness: Freshness;
  /** Why a fact is suspect although its age is no reason; one sentence. */
  freshness_reason?: string;
  /** 0..1, four decimals. */
  freshness_score: number;
  epistemic_class: EpistemicClass;
  /** Start of the value; for an ended fact, the time it ended. */
  valid_from: string;
  /** Null while the value holds. */
  valid_to: string | null;
  last_observed_at: string;
  /** Time at which the claim stops being `fresh`; null for facts that do not age. */
  refresh_due_at: string | null;
  /** Time at which the claim expires; null for facts that do not age. */
  decays_at: string | null;
  /** Number of statements about the property, whatever their value. */
  observation_count: number;
  /** The strongest statement of each supporting source, and the newest statement of all; heaviest first. */
  sources: ClaimSource[];
  opposing: ClaimOpponent[];
  /** Newest first; at most the newest 32 values. */
  history?: ClaimPeriod[];
  /** For a property with many values: the claim of each value. */
  values?: Claim[];
  trust_version: string;
}
