import { truncate } from '#domain/observation/truncate.js';
import type { JsonValue } from '#domain/observation/observation.js';
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

/** One sentence about what a rule found: `title "VP Sales" contains one of vp, chief`. */
export function formatReason(rule: ScoreRule | BuiltInRule, value: JsonValue, match: number): string {
  if ('builtIn' in rule) return `${rule.builtIn} ${quoteValue(value)}`;
  const negated = match === 0 ? 'not: ' : match < 1 ? 'nearly: ' : '';
  return `${negated}${rule.property} ${quoteValue(value)} ${describeExpectation(rule)}`;
}

/** Returns what a rule asks for, without the value that was found: `industry contains one of agency`. */
export function describeRule(rule: ScoreRule): string {
  return `${rule.property} ${describeExpectation(rule)}`;
}

const expectationCache = new WeakMap<ScoreRule, string>();

/** What a rule wants, in words; made once for as long as the rule lives. */
function describeExpectation(rule: ScoreRule): string {
  let expectation = expectationCache.get(rule);
  if (expectation === undefined) {
    expectation = rule.op === 'exists' ? OPERATOR_TEXT.exists : `${OPERATOR_TEXT[rule.op]} ${listValues(rule.value)}`;
    expectationCache.set(rule, expectation);
  }
  return expectation;
}

/** A value in words, short. */
export function quoteValue(value: JsonValue): string {
  return truncate(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
}

function listValues(value: JsonValue): string {
  return truncate(Array.isArray(value) ? value.map(each => String(each)).join(', ') : String(value));
}
