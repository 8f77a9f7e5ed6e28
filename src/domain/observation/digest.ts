import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { JsonValue } from './observation.js';

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

function toCanonicalJson(value: JsonValue): string {
  return canonicalize(value) ?? 'null';
}
