import type { MergeOutcome } from './identifier-conflicts.service.js';

/** An observation whose external id was known already, with other content. The first one stands. */
export interface RecordConflict {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly external_id: string;
  readonly existing_id: string;
}

/** The answer of a record call. */
export interface RecordResponse {
  readonly entity_id: string;
  /** Observations appended; repeats are not counted. */
  readonly recorded: number;
  /** State properties whose claim was derived again, sorted. */
  readonly claims_recomputed: readonly string[];
  /** Observations that were there already, word for word, under the same external id. */
  readonly duplicates: number;
  readonly conflicts: readonly RecordConflict[];
  /** Ids of the appended observations, in the order of the request. */
  readonly observation_ids: readonly string[];
  /** The entity did not exist before this call. */
  readonly entity_created: boolean;
  /** What became of an identifier that was stated and belongs to another entity; absent when there was none. */
  readonly merge?: MergeOutcome;
}
