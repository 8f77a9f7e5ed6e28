import { HubError } from '#kernel/errors/errors.js';

const LONGEST = 200;

/** A short text of a body; undefined when it is missing. @throws HubError `invalid_request`. */
export function shortText(body: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const given = body[field] ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given === 'string' && given.trim() !== '' && given.length <= LONGEST) return given.trim();
  throw HubError.invalidRequest([{ field, message: `${field} must be a text of 1 to ${LONGEST} characters.` }]);
}

/** A truth value of a body; undefined when it is missing. @throws HubError `invalid_request`. */
export function booleanIn(body: Readonly<Record<string, unknown>>, field: string): boolean | undefined {
  const given = body[field] ?? undefined;
  if (given === undefined || typeof given === 'boolean') return given;
  throw HubError.invalidRequest([{ field, message: `${field} is true or false.` }]);
}
