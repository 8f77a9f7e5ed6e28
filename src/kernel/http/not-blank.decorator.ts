import { Matches, type ValidationOptions } from 'class-validator';

/** Property decorator: a text that is given has to say something; spaces alone do not. */
export function NotBlank(options?: ValidationOptions): PropertyDecorator {
  return Matches(/\S/, { message: '$property must not be blank; leave it out instead', ...options });
}
