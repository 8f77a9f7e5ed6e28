import type { JsonValue } from '#domain/observation/observation.js';
import type { ScoreRule } from './model.js';
import { MAX_MATCHED_TEXT_LENGTH, getPattern } from './pattern.js';
import { normalizeMatchText, parseNumber, collectTexts } from './rule-value.js';

/**
 * Returns how well a value matches a rule, 0..1; undefined if they cannot be compared, such as text where a number is
 * needed. A list matches if one of its members does.
 */
export function matchRule(rule: Pick<ScoreRule, 'op' | 'value' | 'slack'>, value: JsonValue): number | undefined {
  switch (rule.op) {
    case 'exists':
      return 1;
    case 'eq':
      return toShare(equalsValue(value, rule.value));
    case 'in':
      return toShare(equalsAny(value, toList(rule.value)));
    case 'contains_any':
      return toShare(containsAny(value, toList(rule.value)));
    case 'matches':
      return toShare(matchesPattern(value, rule.value));
    default:
      return matchNumber(rule, Array.isArray(value) ? value[0] : value);
  }
}

/** Returns whether a text in a value contains one of these words. */
export function containsAny(value: JsonValue, words: readonly JsonValue[]): boolean {
  return containsNeedle(value, foldNeedles(words));
}

const needleCache = new WeakMap<readonly JsonValue[], readonly string[]>();

/** Folds the words of a rule once for as long as the rule lives, because it is applied to thousands of leads. */
function foldNeedles(words: readonly JsonValue[]): readonly string[] {
  let needles = needleCache.get(words);
  if (!needles) needleCache.set(words, (needles = words.flatMap(collectTexts)));
  return needles;
}

function containsNeedle(value: JsonValue, needles: readonly string[]): boolean {
  if (typeof value === 'object') {
    const members = Array.isArray(value) ? value : Object.values(value ?? {});
    return members.some(member => containsNeedle(member, needles));
  }
  const text = typeof value === 'string' ? normalizeMatchText(value) : String(value);
  return needles.some(needle => text.includes(needle));
}

function matchNumber(
  { op, value: wanted, slack }: Pick<ScoreRule, 'op' | 'value' | 'slack'>,
  value: JsonValue | undefined,
) {
  const number = value === undefined ? undefined : parseNumber(value);
  if (number === undefined) return undefined;
  const [least = -Infinity, most = Infinity] = parseBounds(op, wanted);
  const outside = Math.max(least - number, number - most, 0);
  if (outside === 0) return 1;
  return slack > 0 ? Math.max(0, 1 - outside / slack) : 0;
}

function parseBounds(op: ScoreRule['op'], wanted: JsonValue): (number | undefined)[] {
  if (op === 'between') return toList(wanted).map(bound => parseNumber(bound));
  return op === 'gte' ? [parseNumber(wanted)] : [undefined, parseNumber(wanted)];
}

function equalsAny(value: JsonValue, wanted: readonly JsonValue[]): boolean {
  if (typeof value === 'string' && wanted.every(want => typeof want === 'string')) {
    return foldNeedles(wanted).includes(normalizeMatchText(value));
  }
  return wanted.some(want => equalsValue(value, want));
}

function equalsValue(value: JsonValue, wanted: JsonValue): boolean {
  return Array.isArray(value) ? value.some(member => isEqual(member, wanted)) : isEqual(value, wanted);
}

function isEqual(one: JsonValue, other: JsonValue): boolean {
  if (typeof one === 'string' && typeof other === 'string')
    return normalizeMatchText(one) === normalizeMatchText(other);
  if (typeof one === 'number' || typeof other === 'number') {
    const number = parseNumber(one);
    return number !== undefined && number === parseNumber(other);
  }
  return collectTexts(one).join('\n') === collectTexts(other).join('\n');
}

function matchesPattern(value: JsonValue, wanted: JsonValue): boolean {
  const pattern = typeof wanted === 'string' ? getPattern(wanted) : undefined;
  return (
    pattern !== undefined && collectTexts(value).some(text => pattern.test(text.slice(0, MAX_MATCHED_TEXT_LENGTH)))
  );
}

function toList(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

function toShare(holds: boolean): number {
  return holds ? 1 : 0;
}
