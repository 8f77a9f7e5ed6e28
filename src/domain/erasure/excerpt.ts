import type { JsonValue } from '../observation/observation.js';

/**
 * Cuts a JSON value down to what it says about somebody: of a list of objects of which some are about them, only these
 * remain, because the others may be about other people. Everything else stays as it is.
 * @param isAbout returns whether a part of the value is about them
 */
export function excerpt(value: JsonValue, isAbout: (part: JsonValue) => boolean): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const about = value.filter(item => isObject(item) && isAbout(item));
    return (about.length > 0 ? about : value).map(item => excerpt(item, isAbout));
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, excerpt(field, isAbout)]));
}

function isObject(value: JsonValue): boolean {
  return value !== null && typeof value === 'object';
}
