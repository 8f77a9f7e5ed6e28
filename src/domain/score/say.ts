import { excerptOf } from '#domain/observation/excerpt.js';
import type { Json } from '#domain/observation/observation.js';
import type { BuiltInRule, Rule } from './model.js';

const wants: Readonly<Record<Rule['op'], string>> = {
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
export function say(rule: Rule | BuiltInRule, value: Json, match: number): string {
  if ('builtIn' in rule) return `${rule.builtIn} ${quoted(value)}`;
  const negated = match === 0 ? 'not: ' : match < 1 ? 'nearly: ' : '';
  return `${negated}${rule.property} ${quoted(value)} ${wishOf(rule)}`;
}

/** Returns what a rule asks for, without the value that was found: `industry contains one of agency`. */
export function describeRule(rule: Rule): string {
  return `${rule.property} ${wishOf(rule)}`;
}

const wishes = new WeakMap<Rule, string>();

/** What a rule wants, in words; made once for as long as the rule lives. */
function wishOf(rule: Rule): string {
  let wish = wishes.get(rule);
  if (wish === undefined) {
    wish = rule.op === 'exists' ? wants.exists : `${wants[rule.op]} ${listed(rule.value)}`;
    wishes.set(rule, wish);
  }
  return wish;
}

/** A value in words, short. */
export function quoted(value: Json): string {
  return excerptOf(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
}

function listed(value: Json): string {
  return excerptOf(Array.isArray(value) ? value.map(each => String(each)).join(', ') : String(value));
}
