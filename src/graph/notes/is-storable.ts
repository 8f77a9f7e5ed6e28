import { ValidateBy, type ValidationOptions } from 'class-validator';
import { findTextIssue } from '#domain/observation/value-issue.js';

/** Property decorator: validates that a text has no NUL character and no lone surrogate, which PostgreSQL cannot store. */
export function IsStorable(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorable',
      validator: {
        validate: value => typeof value !== 'string' || findTextIssue(value) === undefined,
        defaultMessage: () => '$property must be text without NUL characters and halves of surrogate pairs',
      },
    },
    options,
  );
}
