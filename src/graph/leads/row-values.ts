import { HubError } from '#kernel/errors/hub-error.js';

const MAX_TEXT_LENGTH = 200;

/** Returns a short text of a body; undefined if it is missing. @throws HubError `invalid_request`. */
export function readShortText(body: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const given = body[field] ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given === 'string' && given.trim() !== '' && given.length <= MAX_TEXT_LENGTH) return given.trim();
  throw HubError.invalidRequest([{ field, message: `${field} must be a text of 1 to ${MAX_TEXT_LENGTH} characters.` }]);
}

/** Returns a boolean of a body; undefined if it is missing. @throws HubError `invalid_request`. */
export function readBoolean(body: Readonly<Record<string, unknown>>, field: string): boolean | undefined {
  const given = body[field] ?? undefined;
  if (given === undefined || typeof given === 'boolean') return given;
  throw HubError.invalidRequest([{ field, message: `${field} is true or false.` }]);
}
