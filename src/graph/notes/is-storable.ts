import { ValidateBy, type ValidationOptions } from 'class-validator';
import { flawOfText } from '#domain/observation/json-check.js';

/** Property decorator: a text that the database can keep, without NUL and without half a character. */
export function IsStorable(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorable',
      validator: {
        validate: value => typeof value !== 'string' || flawOfText(value) === undefined,
        defaultMessage: () => '$property must be text without NUL characters and halves of surrogate pairs',
      },
    },
    options,
  );
}
