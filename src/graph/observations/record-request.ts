import type { Json } from '#domain/observation/observation.js';
import { MAX_BATCH, type ObservationInput } from '#domain/observation/observation.js';
import { readObservations } from '#domain/observation/read-observations.js';
import { type IdentifierFocus, isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { HubError } from '#kernel/errors/errors.js';
import { unknownFields } from '#kernel/errors/unknown-fields.js';
import { canonicalObservation } from '../aliases/canonical-observation.js';

/** A checked request to record observations, in canonical names. */
export interface RecordRequest {
  readonly focus: PreciseFocus;
  readonly observations: readonly ObservationInput[];
  /** Identifiers of the same entity that nothing in the observations states. */
  readonly alsoKnownAs?: readonly IdentifierFocus[];
  /** Who says that these are the same, and how. */
  readonly origin?: Pick<ObservationInput, 'source' | 'method'>;
}

const fields = ['focus', 'observations'];

/**
 * Reads the body of a record call, from whichever door. Observation lists are checked by hand-written domain code:
 * class-validator on a thousand of them would cost more than writing them.
 * @throws HubError naming every field that cannot be accepted; the whole batch is refused then.
 */
export function readRecordRequest(body: unknown): RecordRequest {
  const { focus, observations, ...rest } = asObject(body);
  const unknown = unknownFields(rest, fields);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  if (typeof focus !== 'string' || focus.trim() === '' || observations === undefined) {
    throw new HubError('focus_and_observations_required');
  }
  return { focus: preciseFocusOf(focus), observations: observationsOf(observations) };
}

function asObject(body: unknown): Record<string, Json> {
  if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body as Record<string, Json>;
  throw new HubError('focus_and_observations_required');
}

/** @throws HubError `invalid_focus` for a bare name and for what names nobody. */
function preciseFocusOf(text: string): PreciseFocus {
  const focus = parseFocus(text);
  if (isPrecise(focus)) return focus;
  throw HubError.invalidFocus(focus.form === 'invalid' ? focus.reason : undefined);
}

function observationsOf(raw: unknown): ObservationInput[] {
  const read = readObservations(raw, Date.now() * 1000);
  if (read.ok) return read.observations.map(canonicalObservation);
  if (read.tooMany !== undefined) throw HubError.batchTooLarge('observations', MAX_BATCH);
  throw HubError.invalidRequest(read.problems);
}
