import { excerptOf } from './excerpt.js';
import type { Problem } from './observation.js';

const FIELDS = ['kind', 'property', 'value', 'source', 'method', 'observed_at', 'external_id', 'raw'];
const KNOWN = new Set(FIELDS);
const MEANT = new Map(FIELDS.map(field => [field.replaceAll('_', ''), field]));

/** One problem per field that an observation does not have, naming the field that was probably meant. */
export function unknownFieldsOf(item: Record<string, unknown>): Problem[] {
  const problems: Problem[] = [];
  for (const key of Object.keys(item)) {
    if (KNOWN.has(key)) continue;
    const field = excerptOf(key);
    const meant = MEANT.get(key.toLowerCase().replace(/[^a-z]/g, ''));
    const mend = meant ? `write it ${meant}` : `known are ${FIELDS.join(', ')}`;
    problems.push({ field, message: `${JSON.stringify(field)} is no field of an observation; ${mend}.` });
  }
  return problems;
}
