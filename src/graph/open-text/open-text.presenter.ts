import type { ReviewReason } from '#domain/extract/extraction.js';
import type { RejectedFact } from '#domain/extract/llm-extraction.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { RecordResponse } from '../observations/observations.presenter.js';

/** An observation extracted from a text, with its quote. */
export interface ExtractedObservation {
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  /** How it was extracted: `api`, `rules:<id>` or `llm:<model>`. */
  readonly method: string;
  /** The exact words of the text; null if the caller sent no quote. */
  readonly quote: string | null;
}

/** An extraction that was recorded, or that a dry run would record. */
export interface RecordedExtraction extends ExtractedObservation {
  /** Null if it was recorded before under its external ID, and in a dry run. */
  readonly observation_id: string | null;
  /** Every method that extracted the same, most reliable first. */
  readonly methods: readonly string[];
  /** Reliability of source and method, 0 to 1. */
  readonly reliability: number;
}

/** An extraction that was not recorded because it needs review. Record it if it is right. */
export interface NeedsReview extends ExtractedObservation {
  readonly why: ReviewReason;
  /** The reason in a sentence. */
  readonly detail: string;
}

/** Response of recording from text: the response of a record call, and the result of the extraction. */
export interface RecordTextResponse extends Omit<RecordResponse, 'entity_id'> {
  /** Null in a dry run about an unknown entity. */
  readonly entity_id: string | null;
  /** The recorded facts and interactions, without the event of the text itself. */
  readonly observations: readonly RecordedExtraction[];
  readonly needs_review: readonly NeedsReview[];
  readonly rejected: readonly RejectedFact[];
  readonly llm: 'off' | 'used' | 'failed';
  /** Why the model failed. */
  readonly llm_detail?: string;
  readonly dry_run?: true;
}
