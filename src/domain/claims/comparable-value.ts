import type { JsonValue } from '#domain/observation/observation.js';
import { foldText, applyNormaliser } from './canonical-key.js';
import type { PropertyRule } from './rules.js';

/** Separates the values of a property with many values. Folded text never contains it. */
export const MEMBER_SEPARATOR = '\n';

/** Maximum number of characters per value that filters compare. */
export const MAX_COMPARABLE_LENGTH = 4_096;

const NUMBER = /^[+-]?(?:\d{1,15})(?:\.\d{1,15})?$/;

/**
 * Returns the text by which filters and sorts compare a single value: folded text, numbers and booleans as in JSON.
 * Undefined for null, objects and lists.
 */
export function toComparableText(value: JsonValue, normaliser?: PropertyRule['normaliser']): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  return foldText(applyNormaliser(value.slice(0, MAX_COMPARABLE_LENGTH), normaliser)).slice(0, MAX_COMPARABLE_LENGTH);
}

/** Returns all values of a property as one text, each enclosed in separators, so that whole values can be matched. */
export function toComparableMembers(values: readonly JsonValue[], normaliser?: PropertyRule['normaliser']): string {
  const texts = values.map(value => toComparableText(value, normaliser)).filter(text => text !== undefined);
  return MEMBER_SEPARATOR + texts.map(text => text + MEMBER_SEPARATOR).join('');
}

/** Returns a number, or the number that a decimal text spells. */
export function toComparableNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;
}
