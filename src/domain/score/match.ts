import type { Json } from '#domain/observation/observation.js';
import type { Rule } from './model.js';
import { MAX_TEXT, patternOf } from './pattern.js';
import { folded, numberIn, textsIn } from './value.js';

/**
 * How far a value is what a rule wants, 0..1. Undefined when the value cannot be compared: a text where a number is
 * needed. A list matches when one of its members does.
 */
export function matchOf(rule: Pick<Rule, 'op' | 'value' | 'slack'>, value: Json): number | undefined {
  switch (rule.op) {
    case 'exists':
      return 1;
    case 'eq':
      return asShare(isAny(value, rule.value));
    case 'in':
      return asShare(equalsAny(value, asList(rule.value)));
    case 'contains_any':
      return asShare(containsAny(value, asList(rule.value)));
    case 'matches':
      return asShare(matches(value, rule.value));
    default:
      return ofNumber(rule, Array.isArray(value) ? value[0] : value);
  }
}

/** Whether one of the texts in a value contains one of these words. */
export function containsAny(value: Json, words: readonly Json[]): boolean {
  return containsOne(value, needlesIn(words));
}

const known = new WeakMap<readonly Json[], readonly string[]>();

/** The texts in the list of a rule, folded once for as long as the rule lives: it is tried on thousands of leads. */
function needlesIn(words: readonly Json[]): readonly string[] {
  let needles = known.get(words);
  if (!needles) known.set(words, (needles = words.flatMap(textsIn)));
  return needles;
}

function containsOne(value: Json, needles: readonly string[]): boolean {
  if (typeof value === 'object') {
    const members = Array.isArray(value) ? value : Object.values(value ?? {});
    return members.some(member => containsOne(member, needles));
  }
  const text = typeof value === 'string' ? folded(value) : String(value);
  return needles.some(needle => text.includes(needle));
}

function ofNumber({ op, value: wanted, slack }: Pick<Rule, 'op' | 'value' | 'slack'>, value: Json | undefined) {
  const number = value === undefined ? undefined : numberIn(value);
  if (number === undefined) return undefined;
  const [least = -Infinity, most = Infinity] = boundsOf(op, wanted);
  const outside = Math.max(least - number, number - most, 0);
  if (outside === 0) return 1;
  return slack > 0 ? Math.max(0, 1 - outside / slack) : 0;
}

function boundsOf(op: Rule['op'], wanted: Json): (number | undefined)[] {
  if (op === 'between') return asList(wanted).map(bound => numberIn(bound));
  return op === 'gte' ? [numberIn(wanted)] : [undefined, numberIn(wanted)];
}

function equalsAny(value: Json, wanted: readonly Json[]): boolean {
  if (typeof value === 'string' && wanted.every(want => typeof want === 'string')) {
    return needlesIn(wanted).includes(folded(value));
  }
  return wanted.some(want => isAny(value, want));
}

function isAny(value: Json, wanted: Json): boolean {
  return Array.isArray(value) ? value.some(member => isEqual(member, wanted)) : isEqual(value, wanted);
}

function isEqual(one: Json, other: Json): boolean {
  if (typeof one === 'string' && typeof other === 'string') return folded(one) === folded(other);
  if (typeof one === 'number' || typeof other === 'number') {
    const number = numberIn(one);
    return number !== undefined && number === numberIn(other);
  }
  return textsIn(one).join('\n') === textsIn(other).join('\n');
}

function matches(value: Json, wanted: Json): boolean {
  const pattern = typeof wanted === 'string' ? patternOf(wanted) : undefined;
  return pattern !== undefined && textsIn(value).some(text => pattern.test(text.slice(0, MAX_TEXT)));
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

function asShare(holds: boolean): number {
  return holds ? 1 : 0;
}
