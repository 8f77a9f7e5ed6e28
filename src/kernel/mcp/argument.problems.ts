import type { z } from 'zod';
import type { Problem } from '#kernel/errors/errors.js';
import { fieldName } from './field.name.js';

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};
const COUNTED: Readonly<Record<string, string>> = { array: ' items', set: ' items', string: ' characters' };

/**
 * What is wrong with arguments, in words that say what each should be. Holds names of fields, never what was sent.
 * @param known the arguments that there are
 */
export function problemsIn(issues: readonly Issue[], known: readonly string[]): Problem[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'unrecognized_keys') return { field: fieldName(issue.path), message: wordsFor(issue) };
    const there = issue.path.length === 0 && known.length > 0 ? `; there are ${known.join(', ')}` : '';
    return issue.keys.map(key => ({ field: fieldName([...issue.path, key]), message: `is not known${there}` }));
  });
}

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.input === undefined ? 'is required:' : 'must be'} ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${choice(issue)}`;
    case 'invalid_union':
      return `must be ${issue.errors.flat().map(choice).join(' or ')}`;
    case 'too_small':
      if (issue.origin in COUNTED && issue.minimum === 1) return 'must not be empty';
      return bound(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      return bound(issue.origin, `at most ${issue.maximum}`);
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : issue.message;
    default:
      return issue.message;
  }
}

function choice(issue: Issue): string {
  if (issue.code === 'invalid_value') return issue.values.map(value => JSON.stringify(value)).join(' or ');
  return issue.code === 'invalid_type' ? (KINDS[issue.expected] ?? issue.expected) : issue.message;
}

function bound(origin: string, limit: string): string {
  return origin in COUNTED ? `must have ${limit}${COUNTED[origin]}` : `must be ${limit}`;
}
