import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Json } from './observation.js';

/** What an observation says, without anything that depends on when or in which order it arrived. */
export interface ObservationContent {
  property: string;
  value: Json;
  source: string;
  method: string;
  observedAt: Instant;
  externalId?: string | null;
}

/**
 * SHA-256 in hex over the RFC 8785 form of `{external_id, method, observed_at, property, source, value}`, absent
 * values as null and the time in UTC with six decimals. Equal content has an equal digest on every machine.
 */
export function digestOf(content: ObservationContent): string {
  const said = {
    external_id: content.externalId ?? null,
    method: content.method,
    observed_at: toIso(content.observedAt),
    property: content.property,
    source: content.source,
    value: content.value,
  };
  return hash('sha256', canonicalize(said) ?? '');
}
