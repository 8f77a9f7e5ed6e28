import { truncate } from '../observation/summary.js';
import type { JsonValue } from '../observation/observation.js';
import { findBin } from './match-rule.js';
import type { BuiltInRule, RuleCondition, ScoreRule } from './model.js';

const OPERATOR_TEXT: Readonly<Record<RuleCondition['op'], string>> = {
  eq: 'is',
  in: 'is one of',
  not_in: 'is none of',
  contains_any: 'contains one of',
  matches: 'matches',
  gte: 'is at least',
  lte: 'is at most',
  between: 'lies between',
  exists: 'is known',
  scorecard: 'counts by the customers won and lost',
};

/**
 * Formats the result of a rule as a sentence: `title "VP Sales" contains one of vp, chief`. A rule of several conditions
 * is described without the values found.
 */
export function formatReason(rule: ScoreRule | BuiltInRule, value: JsonValue, match: number): string {
  if ('builtIn' in rule) return `${rule.builtIn} ${quoteValue(value)}`;
  if (rule.op === 'scorecard') return formatScorecardReason(rule, value);
  const negated = match === 0 ? 'not: ' : match < 1 ? 'nearly: ' : '';
  if (rule.and.length > 0) return `${negated}${describeRule(rule)}`;
  return `${negated}${rule.property} ${quoteValue(value)} ${describeExpectation(rule)}`;
}

/** Formats the reason of a scorecard whose fact is unknown. */
export function formatAverageReason({ property }: ScoreRule): string {
  return `${property} is unknown and counts as that of the average customer`;
}

function formatScorecardReason(rule: ScoreRule, value: JsonValue): string {
  const bin = findBin(rule, value);
  if (!bin) return `${rule.property} ${quoteValue(value)} counts as that of the average customer`;
  return `${rule.property} ${quoteValue(value)}${bin.evidence === undefined ? '' : `: ${bin.evidence}`}`;
}

/** Returns what a rule expects, without the values found: `industry contains one of agency`. */
export function describeRule(rule: ScoreRule): string {
  return [rule, ...rule.and].map(one => `${one.property} ${describeExpectation(one)}`).join(' and ');
}

const expectationCache = new WeakMap<RuleCondition, string>();

/** Describes the expected value of a condition. Cached for as long as the condition lives. */
function describeExpectation(condition: RuleCondition): string {
  let expectation = expectationCache.get(condition);
  if (expectation === undefined) {
    const { op, value } = condition;
    const hasOperand = op !== 'exists' && op !== 'scorecard';
    expectation = hasOperand ? `${OPERATOR_TEXT[op]} ${listValues(value)}` : OPERATOR_TEXT[op];
    expectationCache.set(condition, expectation);
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
