import type { z } from 'zod';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { formatFieldPath } from './field-path.js';

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
