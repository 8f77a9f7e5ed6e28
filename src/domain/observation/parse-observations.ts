import type { Instant } from '#domain/time/instant.js';
import { MAX_BATCH_OBSERVATIONS, type ObservationDraft, type ObservationProblem } from './observation.js';
import { parseObservation } from './parse-observation.js';

/** Maximum number of problems in one response. */
export const MAX_OBSERVATION_PROBLEMS = 100;

/**
 * A batch is accepted or rejected as a whole. `tooMany` is the number of elements if there are more than {@link
 * MAX_BATCH_OBSERVATIONS}; they are then not validated.
 */
export type ObservationsResult =
  | { ok: true; observations: ObservationDraft[] }
  | { ok: false; problems: ObservationProblem[]; tooMany?: number };

/**
 * Validates the `observations` of a call and sets their defaults; used by REST, MCP and plugins alike. `now` is the
 * time of receipt: no observation may be more than 366 days later. Reports up to {@link MAX_OBSERVATION_PROBLEMS}
 * problems.
 */
export function parseObservations(raw: unknown, now: Instant): ObservationsResult {
  if (!Array.isArray(raw) || raw.length === 0) {
    return rejectBatch('observations must be an array with at least one observation.');
  }
  if (raw.length > MAX_BATCH_OBSERVATIONS) {
    const message = `At most ${MAX_BATCH_OBSERVATIONS} observations go in one call; these are ${raw.length}. Split them.`;
    return { ...rejectBatch(message), tooMany: raw.length };
  }
  const observations: ObservationDraft[] = [];
  const problems: ObservationProblem[] = [];
  for (const [index, item] of raw.entries()) {
    const observation = parseObservation(item, index, now, problems);
    if (problems.length >= MAX_OBSERVATION_PROBLEMS)
      return { ok: false, problems: problems.slice(0, MAX_OBSERVATION_PROBLEMS) };
    if (observation) observations.push(observation);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, observations };
}

function rejectBatch(message: string): { ok: false; problems: ObservationProblem[] } {
  return { ok: false, problems: [{ field: 'observations', message }] };
}
