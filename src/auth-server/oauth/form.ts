import { InvalidRequestError } from '@modelcontextprotocol/sdk/server/auth/errors.js';

/** The parameters of a request. Each may occur once (RFC 6749, sections 3.1 and 3.2); empty ones count as absent. */
export type FormFields = ReadonlyMap<string, string>;

/** Parses a form or a query. @throws InvalidRequestError if a parameter is repeated or contains a NUL character */
export function parseForm(text: string): FormFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (fields.has(name))
      throw new InvalidRequestError(`The parameter ${sanitizeParamName(name)} occurs more than once.`);
    if (value.includes('\0'))
      throw new InvalidRequestError(`The parameter ${sanitizeParamName(name)} contains a NUL character.`);
    fields.set(name, value);
  }
  return fields;
}

/**
 * Returns a required parameter.
 * @param maxLength maximum characters
 * @throws InvalidRequestError if it is missing or too long
 */
export function requireParam(fields: FormFields, name: string, maxLength = 200): string {
  const value = readOptionalParam(fields, name, maxLength);
  if (value === undefined) throw new InvalidRequestError(`Send ${name}.`);
  return value;
}

/** Returns an optional parameter. @param maxLength maximum characters @throws InvalidRequestError if it is too long */
export function readOptionalParam(fields: FormFields, name: string, maxLength = 200): string | undefined {
  const value = fields.get(name);
  if (value !== undefined && value.length > maxLength)
    throw new InvalidRequestError(`${name} may have at most ${maxLength} characters.`);
  return value;
}

function sanitizeParamName(name: string): string {
  return name.replace(/[^\w.-]/g, '').slice(0, 40);
}
