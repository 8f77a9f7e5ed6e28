import { z } from 'zod';
import { findTextIssue } from '#domain/observation/observation.js';
import { parseInstant } from '#domain/time/instant.js';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { RPC, RpcError } from './mcp-responses.js';

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

/**
 * Returns a request schema whose invalid parameters cause a readable error with the code for invalid parameters. The
 * SDK itself would report an internal error with zod's message.
 * @throws RpcError when it parses such a request
 */
export function withReadableParamErrors<
  Schema extends z.ZodObject<{ method: z.ZodLiteral<string>; params: z.ZodType }>,
>(schema: Schema): Schema {
  const params = schema.shape.params.catch(({ error, input }: z.core.$ZodCatchCtx) => {
    const [problem] = toArgumentProblems(
      error.issues.map(issue => toRequestIssue(issue, input)),
      [],
    );
    throw new RpcError(RPC.INVALID_PARAMS, `Invalid parameters: ${problem?.field} ${problem?.message}`);
  });
  return schema.extend({ params }) as unknown as Schema;
}

/** Adds the path from the request and the invalid value, which zod omits unless the parse asks for it. */
function toRequestIssue(issue: z.core.$ZodIssue, params: unknown): z.core.$ZodIssue {
  const input = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], params);
  return { ...issue, path: ['params', ...issue.path], input } as z.core.$ZodIssue;
}

/** Formats `['observations', 3, 'kind']` as `observations[3].kind`. */
export function formatFieldPath(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>((before, key) => {
    if (/^\d+$/.test(String(key))) return `${before}[${String(key)}]`;
    return before === '' ? String(key) : `${before}.${String(key)}`;
  }, '');
  return name === '' ? '(arguments)' : name;
}

type Issue = z.core.$ZodIssue;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};
const COUNT_UNITS: Readonly<Record<string, string>> = { array: ' items', set: ' items', string: ' characters' };

/**
 * Converts validation issues to messages that say what each argument should be. They contain field names, never
 * values.
 * @param known names of the valid arguments
 */
export function toArgumentProblems(issues: readonly Issue[], known: readonly string[]): FieldProblem[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'unrecognized_keys') return { field: formatFieldPath(issue.path), message: formatIssue(issue) };
    const knownNames = issue.path.length === 0 && known.length > 0 ? `; there are ${known.join(', ')}` : '';
    return issue.keys.map(key => ({
      field: formatFieldPath([...issue.path, key]),
      message: `is not known${knownNames}`,
    }));
  });
}

function formatIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.input === undefined ? 'is required:' : 'must be'} ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${formatChoice(issue)}`;
    case 'invalid_union':
      return `must be ${issue.errors.flat().map(formatChoice).join(' or ')}`;
    case 'too_small':
      if (issue.origin in COUNT_UNITS && issue.minimum === 1) return 'must not be empty';
      return formatBound(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      return formatBound(issue.origin, `at most ${issue.maximum}`);
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : issue.message;
    default:
      return issue.message;
  }
}

function formatChoice(issue: Issue): string {
  if (issue.code === 'invalid_value') return issue.values.map(value => JSON.stringify(value)).join(' or ');
  return issue.code === 'invalid_type' ? (TYPE_NAMES[issue.expected] ?? issue.expected) : issue.message;
}

function formatBound(origin: string, limit: string): string {
  return origin in COUNT_UNITS ? `must have ${limit}${COUNT_UNITS[origin]}` : `must be ${limit}`;
}
