import type { ValidationError } from 'class-validator';
import type { Type } from '@nestjs/common';
import type { Problem } from '#kernel/errors/errors.js';
import { notAField } from '#kernel/errors/unknown-fields.js';
import { ruledProperties } from './validation.classes.js';

const MOST = 50;

/** What a value must be before any other rule can say something of it. */
const TYPES: ReadonlySet<string> = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);

/** One problem per broken rule, with the path of its field (`leads[3].email`); at most fifty. */
export function problemsOf(errors: readonly ValidationError[]): Problem[] {
  return [...collect(errors, '')].slice(0, MOST);
}

function* collect(errors: readonly ValidationError[], parent: string): Generator<Problem> {
  for (const { property, constraints = {}, children = [], target } of errors) {
    const field = pathTo(parent, property);
    for (const [rule, message] of told(constraints)) yield { field, message: say(rule, message, field, target) };
    yield* collect(children, field);
  }
}

/** A value of the wrong type breaks every rule, and only one of them says what to mend. */
function told(constraints: Readonly<Record<string, string>>): [rule: string, message: string][] {
  const broken = Object.entries(constraints);
  const ofType = broken.filter(([rule]) => TYPES.has(rule));
  return ofType.length > 0 ? ofType : broken;
}

function pathTo(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}

function say(rule: string, message: string, field: string, target: object | undefined): string {
  if (rule !== 'whitelistValidation') return message;
  return notAField(field, target ? ruledProperties(target.constructor as Type) : []);
}
