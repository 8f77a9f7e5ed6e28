import type { JsonValue } from '../observation/observation.js';
import { type Evidence, findFact, type KnownFact } from './evidence.js';
import type { BuiltInRule, IcpModel, RuleCondition, ScoreRule } from './model.js';
import {
  type RuleEvaluation,
  clampToZero,
  type EvaluatedRule,
  type LayerEvaluation,
  type SkippedRule,
} from './layer.js';
import { seniorityWeight, parseSeniority } from './seniority.js';
import { normalizeMatchText, parseNumber, matchRule, toScorecard } from './match-rule.js';
import { missingKey } from './missing-facts.js';
import { formatAverageReason, formatReason } from './reason-text.js';

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
  if (fact && fact.missingReason === undefined)
    return { ok: true, match: isPresent(fact.value) ? 1 : 0, value: fact.value, fact };
  return skipRule(rule, rule.builtIn, fact, 'ask');
}

function evaluateSeniority(rule: BuiltInRule, { person, precise }: Evidence): RuleEvaluation {
  const [stated, title] = [person.get('seniority'), person.get('title')];
  const fact = stated && stated.missingReason === undefined ? stated : title;
  if (fact && fact.missingReason === undefined && typeof fact.value === 'string') {
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
  return { ok: false, skipped: { property: 'email', on: 'person', weight, reason: 'absent', source: 'enrich' } };
}

function skipRule(
  { weight }: BuiltInRule,
  property: string,
  fact: KnownFact | undefined,
  source: 'enrich' | 'research' | 'ask',
): RuleEvaluation {
  return { ok: false, skipped: { property, on: 'person', weight, reason: fact?.missingReason ?? 'absent', source } };
}

function isPresent(value: JsonValue): boolean {
  if (value === false || value === null) return false;
  if (typeof value === 'string') return !EMPTY_WORDS.has(normalizeMatchText(value)) && parseNumber(value) !== 0;
  return parseNumber(value) !== 0;
}

type RuleMatch = Extract<RuleEvaluation, { ok: true }>;

/**
 * Computes Fit or Ability: 100 * clamp(sum of weight * match / sum of the positive weights), over the rules whose fact
 * can be used. Known if at least one rule that can earn points was evaluated; supporting rules are not enough. A
 * scorecard whose fact is unknown counts as the average customer, so that a lead of which little is known stays near it.
 */
export function evaluateRuleLayer(rules: readonly (ScoreRule | BuiltInRule)[], evidence: Evidence): LayerEvaluation {
  const evaluated: (MatchedRule | AverageRule)[] = [];
  const skipped: SkippedRule[] = [];
  let [missingKeys, most, known, takes] = ['', 0, false, false];
  for (const rule of rules) {
    const look = evaluateRule(rule, evidence);
    if (!look.ok) {
      missingKeys += missingKey(look.skipped);
      skipped.push(look.skipped);
      if (look.average === undefined) continue;
      evaluated.push(new AverageRule(rule as ScoreRule, look.average));
    } else {
      missingKeys += missingKey(undefined);
      evaluated.push(new MatchedRule(rule, look));
      known ||= rule.weight > 0 && !look.supports;
    }
    most += Math.max(0, rule.weight);
    takes ||= rule.weight < 0;
  }
  for (const one of evaluated) one.points = most > 0 ? (100 * one.definition.weight * one.match) / most : 0;
  if (takes) {
    const points = clampToZero(evaluated.map(one => one.points));
    for (const [i, one] of evaluated.entries()) one.points = points[i]!;
  }
  return { evaluated, skipped, known, missingKeys };
}

/** Returns the rules of a model that disqualify a lead by a full match. */
export function findDisqualifying({ fit, ability }: IcpModel, evidence: Evidence): ScoreRule[] {
  const rules: ScoreRule[] = [];
  for (const rule of fit) if (disqualifies(rule, evidence)) rules.push(rule);
  for (const rule of ability) if (!('builtIn' in rule) && disqualifies(rule, evidence)) rules.push(rule);
  return rules;
}

function disqualifies(rule: ScoreRule, evidence: Evidence): boolean {
  if (!rule.disqualify) return false;
  const look = evaluateRule(rule, evidence);
  return look.ok && look.match === 1;
}

function evaluateRule(rule: ScoreRule | BuiltInRule, evidence: Evidence): RuleEvaluation {
  return 'builtIn' in rule ? evaluateBuiltIn(rule, evidence) : evaluatePropertyRule(rule, evidence);
}

/**
 * Evaluates a rule by its conditions: the weakest match counts. One that does not match at all decides, even if others
 * are unknown.
 */
function evaluatePropertyRule(rule: ScoreRule, evidence: Evidence): RuleEvaluation {
  let result = evaluateCondition(rule, rule.weight, evidence);
  for (const condition of rule.and) {
    const next = evaluateCondition(condition, rule.weight, evidence);
    if (isWeaker(next, result)) result = next;
  }
  return result;
}

function isWeaker(one: RuleEvaluation, other: RuleEvaluation): boolean {
  const rank = (result: RuleEvaluation) => (result.ok ? (result.match === 0 ? -1 : result.match) : -0.5);
  return rank(one) < rank(other);
}

function evaluateCondition(condition: RuleCondition, weight: number, evidence: Evidence): RuleEvaluation {
  const { on, property, op, value } = condition;
  const fact = findFact(evidence, on, property) ?? deriveSeniority(condition, evidence);
  const usable = fact !== undefined && fact.missingReason === undefined;
  const match = usable ? matchRule(condition, fact.value) : undefined;
  if (usable && match !== undefined) return { ok: true, match, value: fact.value, fact };
  const source = evidence.precise ? 'enrich' : 'research';
  return {
    ok: false,
    skipped: { property, on, weight: Math.abs(weight), reason: fact?.missingReason ?? 'absent', source },
    ...(op === 'scorecard' && { average: toScorecard(value).average }),
  };
}

/** A seniority is also derived from the title. */
function deriveSeniority({ on, property }: RuleCondition, { person }: Evidence): KnownFact | undefined {
  const title = on === 'person' && property === 'seniority' ? person.get('title') : undefined;
  return title && typeof title.value === 'string' ? { ...title, value: parseSeniority(title.value) } : undefined;
}

/** A rule with its result. A class, because there are ten of them for each of a thousand leads. */
class MatchedRule implements EvaluatedRule {
  points = 0;

  constructor(
    readonly definition: ScoreRule | BuiltInRule,
    readonly evaluation: RuleMatch,
  ) {}

  get match(): number {
    return this.evaluation.match;
  }

  get rule(): string {
    return this.definition.id;
  }

  get ref(): string | null {
    return this.evaluation.fact.ref;
  }

  get weight(): number {
    return Math.abs(this.definition.weight);
  }

  get confidence(): number {
    return this.evaluation.fact.confidence;
  }

  text(): string {
    return formatReason(this.definition, this.evaluation.value, this.evaluation.match);
  }
}

/** A scorecard whose fact is unknown. It earns points, and adds nothing to the coverage. */
class AverageRule implements EvaluatedRule {
  readonly ref = null;
  readonly weight = 0;
  readonly confidence = 0;
  points = 0;

  constructor(
    readonly definition: ScoreRule,
    readonly match: number,
  ) {}

  get rule(): string {
    return this.definition.id;
  }

  text(): string {
    return formatAverageReason(this.definition);
  }
}
