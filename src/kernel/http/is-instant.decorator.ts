import { ValidateBy, type ValidationOptions } from 'class-validator';
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
