import type { ValidationError } from 'class-validator';
import type { Type } from '@nestjs/common';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { unknownFieldMessage } from '#kernel/errors/unknown-fields.js';
import { listValidatedProperties } from './validation-metadata.js';

const MAX_PROBLEMS = 50;

/** Rules about the type of a value, without which other rules make no sense. */
const TYPE_RULES: ReadonlySet<string> = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);

/** Returns a problem for each violated rule, with the path of its field (`leads[3].email`); at most fifty. */
export function toFieldProblems(errors: readonly ValidationError[]): FieldProblem[] {
  return [...collectProblems(errors, '')].slice(0, MAX_PROBLEMS);
}

function* collectProblems(errors: readonly ValidationError[], parent: string): Generator<FieldProblem> {
  for (const { property, constraints = {}, children = [], target } of errors) {
    const field = joinPath(parent, property);
    for (const [rule, message] of selectConstraints(constraints))
      yield { field, message: toMessage(rule, message, field, target) };
    yield* collectProblems(children, field);
  }
}

/**
 * Selects the type rules if any is violated: a value of the wrong type violates every rule, and only these messages
 * help.
 */
function selectConstraints(constraints: Readonly<Record<string, string>>): [rule: string, message: string][] {
  const broken = Object.entries(constraints);
  const ofType = broken.filter(([rule]) => TYPE_RULES.has(rule));
  return ofType.length > 0 ? ofType : broken;
}

function joinPath(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}

function toMessage(rule: string, message: string, field: string, target: object | undefined): string {
  if (rule !== 'whitelistValidation') return message;
  return unknownFieldMessage(field, target ? listValidatedProperties(target.constructor as Type) : []);
}
