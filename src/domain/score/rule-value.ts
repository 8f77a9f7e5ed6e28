import type { JsonValue } from '#domain/observation/observation.js';

const RANGE = /^([\d.,]+)\s*([km]?)\s*(?:-|–|—|to|\.\.)\s*([\d.,]+)\s*([km]?)\b/i;
const NUMBER = /^(?:[^\d.,-]{0,4}\s*)?(-?[\d.,]+)\s*([km]?)\b/i;

/** Maximum length of a number or range at the beginning of a text, in UTF-16 units. A longer one is not read. */
export const MAX_NUMBER_TEXT = 400;

/**
 * Returns the number of a value: numbers, numbers as text (`1,200`, `5k`, `1000+`, `40 EUR`), and the middle of ranges
 * (`51-200`). Undefined if it has none, or one of more than {@link MAX_NUMBER_TEXT} characters: half of a number would be
 * a wrong one.
 */
export function parseNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value['amount'] === undefined ? undefined : parseNumber(value['amount']);
  }
  if (typeof value !== 'string') return undefined;
  const whole = value.trim();
  const text = whole.slice(0, MAX_NUMBER_TEXT);
  const range = RANGE.exec(text);
  const number = range ?? NUMBER.exec(text);
  if (!number || (whole.length > text.length && text.slice(number[0].length).trim() === '')) return undefined;
  if (range) {
    const [low, high] = [scaleNumber(range[1]!, range[2]!), scaleNumber(range[3]!, range[4]!)];
    return low === undefined || high === undefined ? undefined : (low + high) / 2;
  }
  return scaleNumber(number[1]!, number[2]!);
}

/** Returns the folded texts in a value: itself, the members of a list, the texts of an object. */
export function collectTexts(value: JsonValue): string[] {
  if (typeof value === 'string') return [normalizeMatchText(value)];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  return value === null ? [] : Object.values(value).flatMap(collectTexts);
}

const PLAIN = /^[\u0021-\u007e]+(?: [\u0021-\u007e]+)*$/;

/** Normalizes text for comparing: NFKC, lower case, single spaces. */
export function normalizeMatchText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function scaleNumber(digits: string, unit: string): number | undefined {
  const grouped = /^-?\d{1,3}(?:[.,]\d{3})+$/.test(digits) ? digits.replace(/[.,]/g, '') : digits.replace(',', '.');
  const number = Number(grouped);
  if (!Number.isFinite(number)) return undefined;
  const factor = { k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1;
  return number * factor;
}
