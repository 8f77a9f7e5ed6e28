import { parseQuantity, toMiddle } from '../comparison/quantities.js';
import type { JsonValue } from '../observation/observation.js';
import type { RuleCondition, Scorecard, ScorecardBin } from './model.js';
import { buildTextMatcher, type TextMatcher } from './text-match.js';

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
  if (!number) return readQuantity(whole);
  if (whole.length > text.length && text.slice(number[0].length).trim() === '') return undefined;
  if (range) {
    const [low, high] = [scaleNumber(range[1]!, range[2]!), scaleNumber(range[3]!, range[4]!)];
    return low === undefined || high === undefined ? undefined : (low + high) / 2;
  }
  return scaleNumber(number[1]!, number[2]!);
}

/** Reads `about 200`, `over 500 people`, `two hundred`. */
function readQuantity(text: string): number | undefined {
  const quantity = parseQuantity(text);
  const middle = quantity && toMiddle(quantity);
  return middle !== undefined && Number.isFinite(middle) ? middle : undefined;
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
export function matchRule(rule: MatchableRule, value: JsonValue): number | undefined {
  switch (rule.op) {
    case 'exists':
      return 1;
    case 'eq':
      return toShare(equalsAny(value, [rule.value], rule.property));
    case 'in':
      return toShare(equalsAny(value, toList(rule.value), rule.property));
    case 'not_in':
      return toShare(!equalsAny(value, toList(rule.value), rule.property));
    case 'contains_any':
      return toShare(containsAny(value, toList(rule.value), rule.property));
    case 'matches':
      return toShare(matchesPattern(value, rule.value));
    case 'scorecard':
      return findBin(rule, value)?.share ?? toScorecard(rule.value).average;
    default:
      return matchNumber(rule, Array.isArray(value) ? value[0] : value);
  }
}

/** The parts of a rule that decide its match. Without a property, texts are compared word by word. */
export type MatchableRule = Pick<RuleCondition, 'op' | 'value' | 'slack' | 'slackBelow'> &
  Partial<Pick<RuleCondition, 'property'>>;

/** Returns the operand of a validated rule with the operator `scorecard`. */
export function toScorecard(value: JsonValue): Scorecard {
  return value as unknown as Scorecard;
}

/** Returns the bin of a scorecard that a value belongs to; undefined if it belongs to none. */
export function findBin({ value: card, property }: MatchableRule, value: JsonValue): ScorecardBin | undefined {
  const holds = (bin: ScorecardBin) =>
    matchRule({ op: bin.op, value: bin.value, slack: 0, ...(property !== undefined && { property }) }, value) === 1;
  return toScorecard(card).bins.find(holds);
}

/**
 * Returns whether a text in a value names one of these words: whole words, never parts of them. Titles are compared by
 * rank and function, industries and countries by their names in all languages.
 */
export function containsAny(value: JsonValue, words: readonly JsonValue[], property = ''): boolean {
  return mentions(value, getMatchers(words, property));
}

/** Matchers of a rule's words, cached for as long as the rule lives, because it is applied to thousands of leads. */
const matcherCache = new WeakMap<readonly JsonValue[], Map<string, readonly TextMatcher[]>>();

function getMatchers(words: readonly JsonValue[], property: string): readonly TextMatcher[] {
  const byProperty = matcherCache.get(words) ?? new Map<string, readonly TextMatcher[]>();
  matcherCache.set(words, byProperty);
  const known = byProperty.get(property);
  if (known) return known;
  const matchers = words.flatMap(collectTexts).map(text => buildTextMatcher(property, text));
  byProperty.set(property, matchers);
  return matchers;
}

function mentions(value: JsonValue, matchers: readonly TextMatcher[]): boolean {
  if (typeof value === 'object') {
    const members = Array.isArray(value) ? value : Object.values(value ?? {});
    return members.some(member => mentions(member, matchers));
  }
  const text = String(value);
  return matchers.some(matcher => matcher.isMentioned(text));
}

function matchNumber(
  { op, value: wanted, slack: above, slackBelow = above }: MatchableRule,
  value: JsonValue | undefined,
) {
  const number = value === undefined ? undefined : parseNumber(value);
  if (number === undefined) return undefined;
  const [least = -Infinity, most = Infinity] = parseBounds(op, wanted);
  const outside = Math.max(least - number, number - most, 0);
  if (outside === 0) return 1;
  const slack = number < least ? slackBelow : above;
  return slack > 0 ? Math.max(0, 1 - outside / slack) : 0;
}

function parseBounds(op: RuleCondition['op'], wanted: JsonValue): (number | undefined)[] {
  if (op === 'between') return toList(wanted).map(bound => parseNumber(bound));
  return op === 'gte' ? [parseNumber(wanted)] : [undefined, parseNumber(wanted)];
}

function equalsAny(value: JsonValue, wanted: readonly JsonValue[], property = ''): boolean {
  if (Array.isArray(value)) return value.some(member => equalsAny(member, wanted, property));
  if (typeof value === 'string' && wanted.every(want => typeof want === 'string')) {
    return getMatchers(wanted, property).some(matcher => matcher.isEqual(value));
  }
  return wanted.some(want => isEqual(value, want));
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
