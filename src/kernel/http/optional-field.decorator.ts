import { ValidateIf } from 'class-validator';

/**
 * Makes a field optional. Unlike `IsOptional`, null is validated by the other rules, so that a field which does not
 * allow null rejects it by name.
 */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
