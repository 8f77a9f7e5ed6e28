import { z } from 'zod';
import { findTextIssue } from '#domain/observation/value-issue.js';
import { parseInstant } from '#domain/time/instant.js';

/** A text of at most `longest` characters that the database can keep. */
export function storableText(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .refine(text => findTextIssue(text) === undefined, 'must be text without NUL and half characters');
}

/** The same, and it says something: spaces alone do not. */
export function nonBlankText(maxLength: number): z.ZodString {
  return storableText(maxLength)
    .min(1)
    .refine(text => text.trim() !== '', 'must not be blank; leave it out instead');
}

/** A date or time in ISO 8601. */
export const instant = z
  .string()
  .max(40)
  .refine(text => parseInstant(text) !== undefined, 'must be an ISO 8601 date or time');

/** What several bear the name of: pick one and call again. */
export const candidates = z.array(z.looseObject({ entity_id: z.string() })).optional();
