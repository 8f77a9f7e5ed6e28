import { Transform } from 'class-transformer';

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
