import type { FieldProblem } from './hub-error.js';

/** Maximum number of problems in a response. */
const MAX_PROBLEMS = 50;
/** Bounds the names that are quoted from a request. */
const MAX_NAME_LENGTH = 80;

/** Returns a problem, with the known names, for each field of `given` that is not in `known`; at most fifty. */
export function findUnknownFields(given: object, known: readonly string[]): FieldProblem[] {
  const unknown = Object.keys(given).filter(field => !known.includes(field));
  return unknown.slice(0, MAX_PROBLEMS).map(field => ({ field, message: unknownFieldMessage(field, known) }));
}

/** Returns the message for an unknown field, with the names of the known fields. */
export function unknownFieldMessage(field: string, known: readonly string[]): string {
  const name = `"${field.slice(0, MAX_NAME_LENGTH)}"`;
  return known.length === 0
    ? `${name} is not a field here.`
    : `${name} is not a field here; there are ${known.join(', ')}.`;
}
