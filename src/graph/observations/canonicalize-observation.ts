import { isPlainObject } from '#domain/observation/value-issue.js';
import { EVENT_PREFIX, type JsonValue, type ObservationDraft } from '#domain/observation/observation.js';
import { canonicalEmailStatus, canonicalProperty } from '#domain/properties/registry.js';

/**
 * Returns an observation with canonical names. A state gets its canonical property, and an e-mail status its canonical
 * value. An event keeps its property; its event type is derived on read. A `linkedin_message` gets its `direction` from
 * `raw.is_outbound`.
 */
export function canonicalizeObservation(input: ObservationDraft): ObservationDraft {
  if (input.kind === 'event') return addDirection(input);
  const property = canonicalProperty(input.property);
  if (property === 'email_status' && typeof input.value === 'string') {
    return { ...input, property, value: canonicalEmailStatus(input.value) };
  }
  return property === input.property ? input : { ...input, property };
}

function addDirection(input: ObservationDraft): ObservationDraft {
  if (input.property !== `${EVENT_PREFIX}linkedin_message`) return input;
  const isOutbound = input.raw?.['is_outbound'];
  const details: JsonValue = input.value ?? {};
  if (typeof isOutbound !== 'boolean' || !isPlainObject(details) || 'direction' in details) return input;
  return { ...input, value: { ...details, direction: isOutbound ? 'outbound' : 'inbound' } };
}
