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

/** Time at which facts must have been in effect. */
export const asOfField = instant.describe('Facts in effect then, ISO 8601.');

/** Time until which observations must have been recorded. */
export const knownAtField = instant.describe('Only what was recorded by then.');

/** Whether to validate and preview the call only. */
export const dryRunField = z.boolean().optional().describe('Preview only, write nothing.');
