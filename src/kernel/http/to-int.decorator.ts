import { Transform } from 'class-transformer';

const DIGITS = /^\d{1,20}$/;

/**
 * Property decorator for a query parameter that is a whole number: digits become one. Anything else (`1e5`, `0x10`, an
 * empty text) stays the text that it is, which the rules of the property then refuse.
 */
export function ToInt(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && DIGITS.test(value) ? Number(value) : value,
  );
}
