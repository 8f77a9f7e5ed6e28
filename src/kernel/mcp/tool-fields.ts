import { z } from 'zod';
import { findTextIssue } from '#domain/observation/value-issue.js';
import { parseInstant } from '#domain/time/instant.js';

/** Returns a schema for text of at most `maxLength` characters that the database can store. */
export function storableText(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .refine(text => findTextIssue(text) === undefined, 'must be text without NUL and half characters');
}

/** Returns the same schema for text with at least one non-whitespace character. */
export function nonBlankText(maxLength: number): z.ZodString {
  return storableText(maxLength)
    .min(1)
    .refine(text => text.trim() !== '', 'must not be blank; leave it out instead');
}

/** An ISO 8601 date or time. */
export const instant = z
  .string()
  .max(40)
  .refine(text => parseInstant(text) !== undefined, 'must be an ISO 8601 date or time');

/** Entities that match an ambiguous name: choose one and call again. */
export const candidates = z.array(z.looseObject({ entity_id: z.string() })).optional();
