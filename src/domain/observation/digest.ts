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
  const { externalId = null, method, observedAt, property, source, value } = content;
  const said =
    `{"external_id":${canonical(externalId)},"method":${canonical(method)},"observed_at":"${toIso(observedAt)}",` +
    `"property":${canonical(property)},"source":${canonical(source)},"value":${canonical(value)}}`;
  return hash('sha256', said);
}

function canonical(value: Json): string {
  return canonicalize(value) ?? 'null';
}
