import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Instant, toIso } from '../time/instant.js';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** `event`: something happened (an interaction). `state`: a fact is stated. */
export type ObservationKind = 'event' | 'state';

/** Prefix of the property of every event. */
export const EVENT_PREFIX = 'interaction.';

/** Default source and method of an observation. */
export const DEFAULT_SOURCE = 'agent';
export const DEFAULT_METHOD = 'api';

/** One row of the append-only log. */
export interface StoredObservation {
  id: string;
  kind: ObservationKind;
  property: string;
  /** For a state, the value; null ends the fact. For an event, its details. Absent is null. */
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  recordedAt: Instant;
  externalId: string | null;
  /** {@link computeDigest} of the observation, 64 hex characters. */
  digest: string;
}

/** A validated observation before it is appended; {@link resolveObservedAt} returns its time if none was given. */
export interface ObservationDraft {
  kind: ObservationKind;
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt?: Instant;
  externalId?: string;
  /** The upstream payload as received, stored for audit and never interpreted. */
  raw?: Record<string, JsonValue>;
}

/** A problem of a request: the field, the element, and the fix. */
export interface ObservationProblem {
  /** Position in the batch, from 0; absent if the batch as a whole is meant. */
  index?: number;
  field: string;
  message: string;
}

/** Maximum number of observations per call. */
export const MAX_BATCH_OBSERVATIONS = 1000;

/**
 * Returns the time of an observation: its own, else the time of receipt plus one microsecond per position in the batch,
 * so that the later of two elements wins. Such times are up to `MAX_BATCH_OBSERVATIONS` microseconds after the receipt,
 * so a fold that must include its own batch uses `receivedAt + MAX_BATCH_OBSERVATIONS` as `now`.
 */
export function resolveObservedAt(input: ObservationDraft, index: number, receivedAt: Instant): Instant {
  return input.observedAt ?? receivedAt + index;
}

/** Content of an observation, independent of when and in which order it arrived. */
export interface ObservationContent {
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  externalId?: string | null;
}

/**
 * Returns the SHA-256 in hex over the RFC 8785 form of `{external_id, method, observed_at, property, source, value}`,
 * with absent values as null and the time in UTC with six decimals. Equal content has an equal digest on every machine.
 */
export function computeDigest(observation: ObservationContent): string {
  const { externalId = null, method, observedAt, property, source, value } = observation;
  const content =
    `{"external_id":${toCanonicalJson(externalId)},"method":${toCanonicalJson(method)},"observed_at":"${toIso(observedAt)}",` +
    `"property":${toCanonicalJson(property)},"source":${toCanonicalJson(source)},"value":${toCanonicalJson(value)}}`;
  return hash('sha256', content);
}

/**
 * Returns the deduplication key of an observation that a sync reads from a record: equal for a repeat, different for
 * another value or time.
 * @param system system of the record.
 * @param recordId ID of the record in that system.
 */
export function deriveRecordKey(
  system: string,
  recordId: string,
  { property, value, observedAt }: Pick<ObservationDraft, 'property' | 'value' | 'observedAt'>,
): string {
  const time = observedAt === undefined ? null : toIso(observedAt);
  return `record:${hash('sha256', toCanonicalJson([system, recordId, property, value, time]))}`;
}

function toCanonicalJson(value: JsonValue): string {
  return canonicalize(value) ?? 'null';
}
