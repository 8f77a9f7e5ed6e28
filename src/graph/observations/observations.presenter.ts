import type { MergeOutcome } from './identifier-conflicts.service.js';

/** An observation whose external id is already recorded with other content. The recorded one is kept. */
export interface RecordConflict {
  /** Position in the request, from 0. */
  readonly index: number;
  readonly external_id: string;
  readonly existing_id: string;
}

/** Response of a record call. */
export interface RecordResponse {
  readonly entity_id: string;
  /** Number of appended observations, without duplicates. */
  readonly recorded: number;
  /** State properties whose claims were recomputed, sorted. */
  readonly claims_recomputed: readonly string[];
  /** Number of observations that were already recorded with the same content and external id. */
  readonly duplicates: number;
  readonly conflicts: readonly RecordConflict[];
  /** Ids of the appended observations, in the order of the request. */
  readonly observation_ids: readonly string[];
  /** Whether this call created the entity. */
  readonly entity_created: boolean;
  /** Outcome for an identifier that belongs to another entity; absent if there was none. */
  readonly merge?: MergeOutcome;
}
