import { InvalidRequestError } from '@modelcontextprotocol/sdk/server/auth/errors.js';

/** The parameters of a request, each of which may come once (RFC 6749, 3.1 and 3.2). Empty ones count as absent. */
export type FormFields = ReadonlyMap<string, string>;

/** Reads a form or a query. @throws InvalidRequestError for a parameter that comes twice, or holds a NUL */
export function parseForm(text: string): FormFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (fields.has(name))
      throw new InvalidRequestError(`The parameter ${sanitizeParamName(name)} came more than once.`);
    if (value.includes('\0'))
      throw new InvalidRequestError(`The parameter ${sanitizeParamName(name)} holds a NUL character.`);
    fields.set(name, value);
  }
  return fields;
}

/** A parameter that must be there. @param maxLength characters that it may have @throws InvalidRequestError */
export function requireParam(fields: FormFields, name: string, maxLength = 200): string {
  const value = readOptionalParam(fields, name, maxLength);
  if (value === undefined) throw new InvalidRequestError(`Send ${name}.`);
  return value;
}

/** A parameter that may be there. @throws InvalidRequestError when it is too long */
export function readOptionalParam(fields: FormFields, name: string, maxLength = 200): string | undefined {
  const value = fields.get(name);
  if (value !== undefined && value.length > maxLength)
    throw new InvalidRequestError(`${name} may have at most ${maxLength} characters.`);
  return value;
}

function sanitizeParamName(name: string): string {
  return name.replace(/[^\w.-]/g, '').slice(0, 40);
}
