import type { ValidationError } from 'class-validator';
import type { Problem } from '#kernel/errors/errors.js';

const MOST = 50;

/** One problem per broken rule, with the path of its field (`leads[3].email`); at most fifty. */
export function problemsOf(errors: readonly ValidationError[]): Problem[] {
  return [...collect(errors, '')].slice(0, MOST);
}

function* collect(errors: readonly ValidationError[], parent: string): Generator<Problem> {
  for (const { property, constraints = {}, children = [] } of errors) {
    const field = pathTo(parent, property);
    for (const [rule, message] of Object.entries(constraints)) yield { field, message: say(rule, message, field) };
    yield* collect(children, field);
  }
}

function pathTo(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}

function say(rule: string, message: string, field: string): string {
  return rule === 'whitelistValidation' ? `"${field}" is not a field here.` : message;
}
