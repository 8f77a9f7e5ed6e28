import { truncate } from './truncate.js';
import type { ObservationProblem } from './observation.js';

const FIELDS = ['kind', 'property', 'value', 'source', 'method', 'observed_at', 'external_id', 'raw'];
const KNOWN_FIELDS = new Set(FIELDS);
const FIELD_BY_COMPACT_NAME = new Map(FIELDS.map(field => [field.replaceAll('_', ''), field]));

/**
 * Returns a problem for each unknown field of an observation, with a suggestion of the field that was probably meant.
 */
export function findUnknownObservationFields(item: Record<string, unknown>): ObservationProblem[] {
  const problems: ObservationProblem[] = [];
  for (const key of Object.keys(item)) {
    if (KNOWN_FIELDS.has(key)) continue;
    const field = truncate(key);
    const meant = FIELD_BY_COMPACT_NAME.get(key.toLowerCase().replace(/[^a-z]/g, ''));
    const hint = meant ? `write it ${meant}` : `known are ${FIELDS.join(', ')}`;
    problems.push({ field, message: `${JSON.stringify(field)} is no field of an observation; ${hint}.` });
  }
  return problems;
}
