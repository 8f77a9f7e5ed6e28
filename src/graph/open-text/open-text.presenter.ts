import type { ReviewReason } from '#domain/extract/extraction.js';
import type { RejectedFact } from '#domain/extract/llm-extraction.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { RecordResponse } from '../observations/observations.presenter.js';

/** Something that was read in a text, with the words that say it. */
export interface ExtractedObservation {
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  /** How it was captured: `api`, `rules:<id>`, `llm:<model>`. */
  readonly method: string;
  /** The words as they stand in the text; null where a caller gave none. */
  readonly quote: string | null;
}

/** What was recorded, or would be. */
export interface RecordedExtraction extends ExtractedObservation {
  /** Null when the same had been recorded before under its external id, and in a dry run. */
  readonly observation_id: string | null;
  /** Every method that gave the same, the most reliable first. */
  readonly methods: readonly string[];
  /** How far source and method are trusted, 0..1. */
  readonly reliability: number;
}

/** What was not recorded, because something speaks against it. Record it, if it is right. */
export interface NeedsReview extends ExtractedObservation {
  readonly why: ReviewReason;
  /** The same in a sentence. */
  readonly detail: string;
}

/** The answer of a call that records from text: that of every record call, and what became of the text. */
export interface RecordTextResponse extends Omit<RecordResponse, 'entity_id'> {
  /** Null in a dry run about somebody new. */
  readonly entity_id: string | null;
  /** The facts and interactions among what was recorded; the text itself is not repeated. */
  readonly observations: readonly RecordedExtraction[];
  readonly needs_review: readonly NeedsReview[];
  readonly rejected: readonly RejectedFact[];
  readonly llm: 'off' | 'used' | 'failed';
  /** Why the model was of no use. */
  readonly llm_detail?: string;
  readonly dry_run?: true;
}
