import type { Actor } from '#domain/actor/actor.js';

/** Result of one page of a retraction. */
export interface RetractionResponse {
  readonly retraction_id: string;
  readonly source: string;
  readonly observations: number;
  readonly notes: number;
  readonly leads: number;
  readonly entities_removed: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly dry_run: boolean;
}

/** A retraction that was made. */
export interface PresentedRetraction {
  readonly id: string;
  readonly source: string;
  readonly reason: string | null;
  readonly actor: Actor;
  readonly retracted_at: string;
  readonly observations: number;
  readonly notes: number;
}

/** A page of retractions, newest first. */
export interface RetractionList {
  readonly retractions: readonly PresentedRetraction[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
