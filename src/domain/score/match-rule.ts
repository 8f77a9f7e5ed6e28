import type { JsonValue } from '../observation/observation.js';
import type { ScoreRule } from './model.js';

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

/** Maximum length of a pattern, and of the text it is applied to; longer text is truncated. */
export const MAX_PATTERN_LENGTH = 200;
export const MAX_MATCHED_TEXT_LENGTH = 200;

/** Maximum number of unbounded quantifiers: more could take too long on one text. */
const MAX_OPEN_QUANTIFIERS = 2;

/** A safe pattern, or its problem. */
export type PatternResult =
  | { readonly ok: true; readonly pattern: RegExp }
  | { readonly ok: false; readonly problem: string };

const ESCAPED = /\\./g;
const CLASSES = /\[[^\]]*\]/g;

/**
 * Parses a case-insensitive regular expression whose run time is a small power of the length of the text: no repeated
 * groups, no lookaround or backreferences, and at most two unbounded quantifiers.
 */
export function parsePattern(text: string): PatternResult {
  if (text === '' || text.length > MAX_PATTERN_LENGTH)
    return rejectPattern(`must have 1 to ${MAX_PATTERN_LENGTH} characters`);
  const bare = text.replace(ESCAPED, 'x').replace(CLASSES, 'x');
  if (/\\[1-9]|\\k/.test(text)) return rejectPattern('must not refer back to a group');
  if (/\(\?(?!:)/.test(bare)) return rejectPattern('must not look around or name groups');
  if (/\)[*+?{]/.test(bare)) return rejectPattern('must not repeat a group; write out the alternatives');
  if (/\{\d+(?:,\d*)?\}/.test(bare)) return rejectPattern('must not count repetitions');
  if ((bare.match(/[*+]/g) ?? []).length > MAX_OPEN_QUANTIFIERS) {
    return rejectPattern(`must have at most ${MAX_OPEN_QUANTIFIERS} of * and +`);
  }
  try {
    return { ok: true, pattern: new RegExp(text, 'iu') };
  } catch {
    return rejectPattern('is no regular expression');
  }
}

const patternCache = new Map<string, RegExp | undefined>();

/** Returns the compiled pattern of a validated rule. The 500 latest are cached. */
export function getPattern(text: string): RegExp | undefined {
  if (patternCache.has(text)) return patternCache.get(text);
  if (patternCache.size >= 500) patternCache.clear();
  const read = parsePattern(text);
  const pattern = read.ok ? read.pattern : undefined;
  patternCache.set(text, pattern);
  return pattern;
}

function rejectPattern(problem: string): PatternResult {
  return { ok: false, problem };
}

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
