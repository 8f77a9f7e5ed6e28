import type { FieldProblem } from './hub-error.js';

/** Most problems in an answer. */
const MAX_PROBLEMS = 50;
/** A name that somebody made up may be of any length. */
const MAX_NAME_LENGTH = 80;

/** One problem for each field of `given` that is not a known one, naming those that are; at most fifty. */
export function findUnknownFields(given: object, known: readonly string[]): FieldProblem[] {
  const unknown = Object.keys(given).filter(field => !known.includes(field));
  return unknown.slice(0, MAX_PROBLEMS).map(field => ({ field, message: unknownFieldMessage(field, known) }));
}

/** What is wrong with a field that nobody knows, with those that would be right. */
export function unknownFieldMessage(field: string, known: readonly string[]): string {
  const name = `"${field.slice(0, MAX_NAME_LENGTH)}"`;
  return known.length === 0
    ? `${name} is not a field here.`
    : `${name} is not a field here; there are ${known.join(', ')}.`;
}
