import { ValidateIf } from 'class-validator';

/**
 * Property decorator: the field need not be there. Unlike `IsOptional` it holds null against the other rules: null is a
 * value, and where a field has no use for it, it is refused by name instead of being met by code that expects none.
 */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
