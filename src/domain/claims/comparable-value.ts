import type { JsonValue } from '#domain/observation/observation.js';
import { foldText, applyNormaliser } from './canonical-key.js';
import type { PropertyRule } from './rules.js';

/** Parts the values of a property of many; folded text never holds it. */
export const MEMBER_SEPARATOR = '\n';

/** More text than this is not looked at by filters, per value. */
export const MAX_COMPARABLE_LENGTH = 4_096;

const NUMBER = /^[+-]?(?:\d{1,15})(?:\.\d{1,15})?$/;

/**
 * A single value as text that filters and sorts compare: folded as claims fold it, numbers and truth values by their
 * spelling in JSON. Undefined for null, objects and lists, which have no such text.
 */
export function toComparableText(value: JsonValue, normaliser?: PropertyRule['normaliser']): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  return foldText(applyNormaliser(value.slice(0, MAX_COMPARABLE_LENGTH), normaliser)).slice(0, MAX_COMPARABLE_LENGTH);
}

/** All values of a property of many as one text, each between two ends, so that whole members can be told. */
export function toComparableMembers(values: readonly JsonValue[], normaliser?: PropertyRule['normaliser']): string {
  const texts = values.map(value => toComparableText(value, normaliser)).filter(text => text !== undefined);
  return MEMBER_SEPARATOR + texts.map(text => text + MEMBER_SEPARATOR).join('');
}

/** The number that a value is, or is the decimal spelling of. */
export function toComparableNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;
}
