import { truncate } from '../observation/summary.js';
import type { JsonValue } from '../observation/observation.js';
import type { BuiltInRule, ScoreRule } from './model.js';

const OPERATOR_TEXT: Readonly<Record<ScoreRule['op'], string>> = {
  eq: 'is',
  in: 'is one of',
  contains_any: 'contains one of',
  matches: 'matches',
  gte: 'is at least',
  lte: 'is at most',
  between: 'lies between',
  exists: 'is known',
};

/** Formats the result of a rule as a sentence: `title "VP Sales" contains one of vp, chief`. */
export function formatReason(rule: ScoreRule | BuiltInRule, value: JsonValue, match: number): string {
  if ('builtIn' in rule) return `${rule.builtIn} ${quoteValue(value)}`;
  const negated = match === 0 ? 'not: ' : match < 1 ? 'nearly: ' : '';
  return `${negated}${rule.property} ${quoteValue(value)} ${describeExpectation(rule)}`;
}

/** Returns what a rule expects, without the value found: `industry contains one of agency`. */
export function describeRule(rule: ScoreRule): string {
  return `${rule.property} ${describeExpectation(rule)}`;
}

const expectationCache = new WeakMap<ScoreRule, string>();

/** Describes the expected value of a rule. Cached for as long as the rule lives. */
function describeExpectation(rule: ScoreRule): string {
  let expectation = expectationCache.get(rule);
  if (expectation === undefined) {
    expectation = rule.op === 'exists' ? OPERATOR_TEXT.exists : `${OPERATOR_TEXT[rule.op]} ${listValues(rule.value)}`;
    expectationCache.set(rule, expectation);
  }
  return expectation;
}

/** Formats a value in short. */
export function quoteValue(value: JsonValue): string {
  return truncate(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
}

function listValues(value: JsonValue): string {
  return truncate(Array.isArray(value) ? value.map(each => String(each)).join(', ') : String(value));
}
