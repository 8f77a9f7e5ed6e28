import { Matches, type ValidationOptions } from 'class-validator';

/** Validates that a text has at least one non-whitespace character. */
export function NotBlank(options?: ValidationOptions): PropertyDecorator {
  return Matches(/\S/, { message: '$property must not be blank; leave it out instead', ...options });
}
