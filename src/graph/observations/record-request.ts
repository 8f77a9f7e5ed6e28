import type { JsonValue } from '#domain/observation/observation.js';
import { MAX_BATCH_OBSERVATIONS, type ObservationDraft } from '#domain/observation/observation.js';
import { parseObservations } from '#domain/observation/parse-observations.js';
import { type IdentifierFocus, isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/errors/unknown-fields.js';
import { canonicalizeObservation } from './canonicalize-observation.js';

/** A checked request to record observations, in canonical names. */
export interface RecordRequest {
  readonly focus: PreciseFocus;
  readonly observations: readonly ObservationDraft[];
  /** Identifiers of the same entity that nothing in the observations states. */
  readonly alsoKnownAs?: readonly IdentifierFocus[];
  /** Who says that these are the same, and how. */
  readonly origin?: Pick<ObservationDraft, 'source' | 'method'>;
}

const FIELDS = ['focus', 'observations'];

/**
 * Reads the body of a record call, from whichever door. Observation lists are checked by hand-written domain code:
 * class-validator on a thousand of them would cost more than writing them.
 * @throws HubError naming every field that cannot be accepted; the whole batch is refused then.
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

/** @throws HubError `invalid_focus` for a bare name and for what names nobody. */
function parsePreciseFocus(text: string): PreciseFocus {
  const focus = parseFocus(text);
  if (isPrecise(focus)) return focus;
  throw HubError.invalidFocus(focus.form === 'invalid' ? focus.reason : undefined);
}

function parseObservationList(raw: unknown): ObservationDraft[] {
  const read = parseObservations(raw, Date.now() * 1000);
  if (read.ok) return read.observations.map(canonicalizeObservation);
  if (read.tooMany !== undefined) throw HubError.batchTooLarge('observations', MAX_BATCH_OBSERVATIONS);
  throw HubError.invalidRequest(read.problems);
}
