const EXTENSION = /(?:;\s*ext=|\bext(?:ension)?\.?|\bx|#|\bdw\.?|\bdurchwahl)\s*(\d{1,6})\s*$/i;
const TRUNK_ZERO = /\(0\)/g;
const MAX_PHONE_TEXT = 60;

/**
 * Returns the digits of a phone number: with `+` if the country code is given (also as `00`), and with `x` and the
 * extension. Undefined for text without digits.
 */
export function phoneKey(given: string): string | undefined {
  if (given.length > MAX_PHONE_TEXT) return undefined;
  const text = given.normalize('NFKC').trim().replace(/^tel:/i, '');
  const extension = EXTENSION.exec(text);
  const main = extension ? text.slice(0, extension.index) : text;
  const isInternational = /^[^\d+]*(?:\+|00[1-9])/.test(main);
  const digits = (isInternational ? main.replace(TRUNK_ZERO, '') : main).replace(/\D/g, '');
  if (digits === '') return undefined;
  const number = isInternational ? `+${digits.replace(/^00/, '')}` : digits;
  return extension ? `${number}x${extension[1]}` : number;
}
