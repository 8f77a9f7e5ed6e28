import type { Problem } from './errors.js';

/** Most problems in an answer. */
const MOST = 50;
/** A name that somebody made up may be of any length. */
const LONGEST = 80;

/** One problem for each field of `given` that is not a known one, naming those that are; at most fifty. */
export function unknownFields(given: object, known: readonly string[]): Problem[] {
  const unknown = Object.keys(given).filter(field => !known.includes(field));
  return unknown.slice(0, MOST).map(field => ({ field, message: notAField(field, known) }));
}

/** What is wrong with a field that nobody knows, with those that would be right. */
export function notAField(field: string, known: readonly string[]): string {
  const name = `"${field.slice(0, LONGEST)}"`;
  return known.length === 0
    ? `${name} is not a field here.`
    : `${name} is not a field here; there are ${known.join(', ')}.`;
}
