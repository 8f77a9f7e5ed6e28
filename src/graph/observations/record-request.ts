import { isPlainObject } from '#domain/observation/value-issue.js';
import {
  EVENT_PREFIX,
  type JsonValue,
  type ObservationDraft,
  MAX_BATCH_OBSERVATIONS,
} from '#domain/observation/observation.js';
import { canonicalEmailStatus, canonicalProperty } from '#domain/properties/registry.js';
import { parseObservations } from '#domain/observation/parse-observation.js';
import { type IdentifierFocus, isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { HubError, findUnknownFields } from '#kernel/errors/hub-error.js';

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

/** A validated request to record observations, with canonical names. */
export interface RecordRequest {
  readonly focus: PreciseFocus;
  readonly observations: readonly ObservationDraft[];
  /** Identifiers of the same entity that the observations do not state. */
  readonly alsoKnownAs?: readonly IdentifierFocus[];
  /** Source and method of the statement that these identifiers belong to one entity. */
  readonly origin?: Pick<ObservationDraft, 'source' | 'method'>;
}

const FIELDS = ['focus', 'observations'];

/**
 * Reads the body of a record call from REST, MCP or a plugin. Observations are checked by hand-written domain code:
 * class-validator would take longer for 1,000 of them than writing them.
 * @throws HubError naming every invalid field; the whole batch is rejected.
 */
export function readRecordRequest(body: unknown): RecordRequest {
  const { focus, observations, ...rest } = requireBody(body);
  const unknown = findUnknownFields(rest, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  if (typeof focus !== 'string' || focus.trim() === '' || observations === undefined) {
    throw new HubError('focus_and_observations_required');
  }
  return { focus: parsePreciseFocus(focus), observations: parseObservationList(observations) };
}

function requireBody(body: unknown): Record<string, JsonValue> {
  if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body as Record<string, JsonValue>;
  throw new HubError('focus_and_observations_required');
}

/** Parses a focus that identifies one entity. @throws HubError `invalid_focus` for a bare name or invalid text. */
export function parsePreciseFocus(text: unknown): PreciseFocus {
  const focus = typeof text === 'string' ? parseFocus(text) : undefined;
  if (focus && isPrecise(focus)) return focus;
  throw HubError.invalidFocus(focus?.form === 'invalid' ? focus.reason : undefined);
}

function parseObservationList(raw: unknown): ObservationDraft[] {
  const read = parseObservations(raw, Date.now() * 1000);
  if (read.ok) return read.observations.map(canonicalizeObservation);
  if (read.tooMany !== undefined) throw HubError.batchTooLarge('observations', MAX_BATCH_OBSERVATIONS);
  throw HubError.invalidRequest(read.problems);
}
