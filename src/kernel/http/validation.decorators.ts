import { ValidateBy, type ValidationOptions, Matches, ValidateIf } from 'class-validator';
import { Transform } from 'class-transformer';
import { parseInstant } from '#domain/time/instant.js';

/** Validates an ISO 8601 date or time, such as `2026-11-20` or `2026-11-20T09:30:00Z`. */
export function IsInstant(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isInstant',
      validator: {
        validate: value => typeof value === 'string' && parseInstant(value) !== undefined,
        defaultMessage: () =>
          '$property must be an ISO 8601 date or time of the years 1900 to 2200, such as 2026-11-20T09:30:00Z',
      },
    },
    options,
  );
}

/** Validates a name that people give and see: one line of 1 to 200 characters that is not blank. */
export function IsName(): PropertyDecorator {
  return Matches(/^(?=.*\S)\P{Cc}{1,200}$/u, {
    message: '$property must be a text of 1 to 200 characters, not only spaces, without control characters',
  });
}

/** Validates that a text has at least one non-whitespace character. */
export function NotBlank(options?: ValidationOptions): PropertyDecorator {
  return Matches(/\S/, { message: '$property must not be blank; leave it out instead', ...options });
}

/**
 * Makes a field optional. Unlike `IsOptional`, null is validated by the other rules, so that a field which does not
 * allow null rejects it by name.
 */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

const DIGITS = /^\d{1,20}$/;

/**
 * Converts the digits of a query parameter to a number. Anything else (`1e5`, `0x10`, an empty text) stays a text,
 * which the validation rules of the property then reject.
 */
export function ToInt(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
  );
}
