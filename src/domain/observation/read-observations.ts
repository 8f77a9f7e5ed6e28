import type { Instant } from '#domain/time/instant.js';
import { MAX_BATCH, type ObservationInput, type Problem } from './observation.js';
import { readObservation } from './read-observation.js';

/** Most problems that one answer names. */
export const MAX_PROBLEMS = 100;

/**
 * A batch is taken whole or refused whole. `tooMany` is the number of elements when there are more than `MAX_BATCH`;
 * they are not looked at then.
 */
export type ReadObservations =
  | { ok: true; observations: ObservationInput[] }
  | { ok: false; problems: Problem[]; tooMany?: number };

/**
 * Checks what a caller sent as `observations` and fills in the defaults; the one reader behind every door. `now` is
 * the time of receipt: nothing may lie more than 366 days after it. Reports up to `MAX_PROBLEMS` problems.
 */
export function readObservations(raw: unknown, now: Instant): ReadObservations {
  if (!Array.isArray(raw) || raw.length === 0) {
    return refused('observations must be an array with at least one observation.');
  }
  if (raw.length > MAX_BATCH) {
    const message = `At most ${MAX_BATCH} observations go in one call; these are ${raw.length}. Split them.`;
    return { ...refused(message), tooMany: raw.length };
  }
  const observations: ObservationInput[] = [];
  const problems: Problem[] = [];
  for (const [index, item] of raw.entries()) {
    const observation = readObservation(item, index, now, problems);
    if (problems.length >= MAX_PROBLEMS) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
    if (observation) observations.push(observation);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, observations };
}

function refused(message: string): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ field: 'observations', message }] };
}
