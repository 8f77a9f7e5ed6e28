import type { Instant } from '#domain/time/instant.js';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** `event`: something happened (an interaction). `state`: a fact is stated. */
export type ObservationKind = 'event' | 'state';

/** What every event's property begins with. */
export const EVENT_PREFIX = 'interaction.';

/** Where an observation comes from, and how it was captured, when the writer does not say. */
export const DEFAULT_SOURCE = 'agent';
export const DEFAULT_METHOD = 'api';

/** One row of the append-only log. */
export interface StoredObservation {
  id: string;
  kind: ObservationKind;
  property: string;
  /** For a state: the value, null says that the fact ended. For an event: its details. Absent is null. */
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  recordedAt: Instant;
  externalId: string | null;
  /** `digestOf` the observation, 64 hex characters. */
  digest: string;
}

/** A checked observation that is about to be appended; `observedAtOf` says when it counts if its writer did not. */
export interface ObservationDraft {
  kind: ObservationKind;
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt?: Instant;
  externalId?: string;
  /** The upstream payload as it came, kept for audit and never interpreted. */
  raw?: Record<string, JsonValue>;
}

/** Why a request cannot be taken: which field of which element, and how to mend it. */
export interface ObservationProblem {
  /** Position in the batch, from 0; absent when the batch as a whole is meant. */
  index?: number;
  field: string;
  message: string;
}

/** Most observations in one call. */
export const MAX_BATCH_OBSERVATIONS = 1000;

/**
 * The time of an observation: its own, else the receipt plus one microsecond per place in the batch, so that the
 * later of two elements wins. Such times reach up to `MAX_BATCH` microseconds past the receipt: a fold that shall
 * see the batch it belongs to takes `receivedAt + MAX_BATCH` as its now.
 */
export function resolveObservedAt(input: ObservationDraft, index: number, receivedAt: Instant): Instant {
  return input.observedAt ?? receivedAt + index;
}
