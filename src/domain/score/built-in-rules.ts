import type { JsonValue } from '#domain/observation/observation.js';
import { type Evidence, findFact, type KnownFact } from './evidence.js';
import type { BuiltInRule } from './model.js';
import type { RuleEvaluation } from './layer.js';
import { seniorityWeight } from './seniority.js';
import { normalizeMatchText, parseNumber } from './rule-value.js';

const EMPTY_WORDS = new Set([
  '',
  'no',
  'none',
  'false',
  'unknown',
  'n/a',
  'not now',
  'no budget',
  'no timeline',
  'never',
]);

/** Evaluates a built-in rule. */
export function evaluateBuiltIn(rule: BuiltInRule, evidence: Evidence): RuleEvaluation {
  if (rule.builtIn === 'channel') return evaluateChannel(rule, evidence);
  if (rule.builtIn === 'seniority') return evaluateSeniority(rule, evidence);
  const fact = findFact(evidence, 'company', rule.builtIn);
  if (fact && fact.lack === undefined)
    return { ok: true, match: isPresent(fact.value) ? 1 : 0, value: fact.value, fact };
  return skipRule(rule, rule.builtIn, fact, 'ask');
}

function evaluateSeniority(rule: BuiltInRule, { person, precise }: Evidence): RuleEvaluation {
  const [stated, title] = [person.get('seniority'), person.get('title')];
  const fact = stated && stated.lack === undefined ? stated : title;
  if (fact && fact.lack === undefined && typeof fact.value === 'string') {
    return { ok: true, match: seniorityWeight(fact.value), value: fact.value, fact };
  }
  return skipRule(rule, 'title', title ?? stated, precise ? 'enrich' : 'research');
}

/** Being reachable makes nobody a buyer: it adds to other evidence, and is not enough alone. */
function evaluateChannel({ weight }: BuiltInRule, { reachable, precise }: Evidence): RuleEvaluation {
  if (precise || reachable) {
    const value = reachable ? 'reachable' : 'not reachable';
    return { ok: true, match: reachable ? 1 : 0, value, fact: { confidence: 0.9, ref: null }, supports: true };
  }
  return { ok: false, lack: { property: 'email', on: 'person', weight, reason: 'absent', source: 'enrich' } };
}

function skipRule(
  { weight }: BuiltInRule,
  property: string,
  fact: KnownFact | undefined,
  source: 'enrich' | 'research' | 'ask',
): RuleEvaluation {
  return { ok: false, lack: { property, on: 'person', weight, reason: fact?.lack ?? 'absent', source } };
}

function isPresent(value: JsonValue): boolean {
  if (value === false || value === null) return false;
  if (typeof value === 'string') return !EMPTY_WORDS.has(normalizeMatchText(value)) && parseNumber(value) !== 0;
  return parseNumber(value) !== 0;
}
