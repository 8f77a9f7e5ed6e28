import { foldLetters } from '../comparison/canonical-key.js';
import type { JsonValue } from '../observation/observation.js';
import type { RawRule } from './compose-model.js';

const MAX_QUOTE_LENGTH = 200;

/** Returns whether two rules list values of one property, which can be joined. */
export function isSameList(one: RawRule, other: RawRule): boolean {
  return (
    one['property'] === other['property'] &&
    one['op'] === other['op'] &&
    Array.isArray(other['value']) &&
    one['op'] !== 'between'
  );
}

/** Joins the values of two rules that list some, without repeating any, and their quotes. */
export function joinValues(one: RawRule, other: RawRule): RawRule {
  const values = [...(one['value'] as JsonValue[]), ...(other['value'] as JsonValue[])];
  const folded = values.map(toFoldedText);
  const value = values.filter((_, i) => folded.indexOf(folded[i]!) === i);
  const isSameQuote = one['quote'] === other['quote'] || other['quote'] === undefined;
  const quote = isSameQuote ? one['quote'] : toQuote(`${String(one['quote'])} … ${String(other['quote'])}`);
  return { ...one, value, ...(quote !== undefined && { quote }) };
}

function toFoldedText(value: JsonValue): string {
  return foldLetters(String(value));
}

/** Returns the conditions that hold where a condition does not: one, or one on each side of a range. */
export function invertCondition(condition: RawRule): RawRule[] {
  return invertOperator(condition).map(inverse => ({ ...withoutSlack(condition), ...inverse }));
}

function invertOperator({ op, value }: RawRule): RawRule[] {
  const [least, most] = Array.isArray(value) ? (value as number[]) : [value as number, value as number];
  switch (op) {
    case 'gte':
      return [{ op: 'lte', value: least! - 1 }];
    case 'lte':
      return [{ op: 'gte', value: most! + 1 }];
    case 'between':
      return [
        { op: 'lte', value: least! - 1 },
        { op: 'gte', value: most! + 1 },
      ];
    case 'not_in':
      return [{ op: 'in' }];
    default:
      return [{ op: 'not_in' }];
  }
}

/** Returns a condition that holds in full or not at all. */
export function withoutSlack({ slack: _slack, slack_below: _below, ...condition }: RawRule): Record<string, JsonValue> {
  return condition;
}

/** Returns the words that a rule comes from, shortened. */
export function toQuote(text: string): string {
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH - 1)}…` : text;
}
