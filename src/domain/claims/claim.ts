import type { JsonValue } from '#domain/observation/observation.js';
import type { EpistemicClass } from './confidence.js';
import type { Freshness } from './freshness.js';

/** A statement behind a claim. Times are ISO 8601 UTC with microseconds. */
export interface ClaimSource {
  observation_id: string;
  source: string;
  method: string;
  observed_at: string;
  /** Reliability of the source and method, 0..1. */
  r: number;
  /** What the statement weighs in the confidence, 0..1: `r` decayed by the property's half-life. */
  weight: number;
}

/** The latest statement of a source that says something else. */
export interface ClaimOpponent {
  observation_id: string;
  source: string;
  value: JsonValue;
  observed_at: string;
  /** `r` decayed by an eighth of the half-life (by default), 0..1. */
  weight: number;
  /** One sentence: why it did not prevail. */
  why: string;
}

/** A value that held before. */
export interface ClaimPeriod {
  value: JsonValue;
  valid_from: string;
  valid_to: string;
  /** Id of the observation that began what came after. */
  ended_by: string;
}

/** A derived fact with what a caller needs to judge it, as it stands in answers (there `entity_id` is added). */
export interface Claim {
  property: string;
  /** Of a property of many values: the list of those that hold. */
  value: JsonValue;
  value_type: 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
  status: 'current' | 'ended';
  /** 0..1, four decimals; the same at every reading time. */
  confidence: number;
  freshness: Freshness;
  /** 0..1, four decimals. */
  freshness_score: number;
  epistemic_class: EpistemicClass;
  /** When the value (or, of an ended fact, the end) began. */
  valid_from: string;
  /** Null as long as nothing has displaced the value. */
  valid_to: string | null;
  last_observed_at: string;
  /** When it leaves `fresh`; null for facts that do not age. */
  refresh_due_at: string | null;
  /** When it will be expired; null for facts that do not age. */
  decays_at: string | null;
  /** Statements that were made about the property, whatever they said. */
  observation_count: number;
  /** The strongest statement of each supporting source and the newest of all, heaviest first. */
  sources: ClaimSource[];
  opposing: ClaimOpponent[];
  /** Newest first; the newest 32 values at most. */
  history?: ClaimPeriod[];
  /** Of a property of many values: the claim of each value. */
  values?: Claim[];
  trust_version: string;
}
