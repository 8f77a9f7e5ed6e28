import { clampToZero } from './allocate.js';
import { evaluateBuiltIn } from './built-in-rules.js';
import { type Evidence, findFact, type KnownFact } from './evidence.js';
import type { RuleEvaluation, EvaluatedRule, LayerEvaluation, SkippedRule } from './layer.js';
import { matchRule } from './match-rule.js';
import { missingKey } from './missing-facts.js';
import type { BuiltInRule, IcpModel, ScoreRule } from './model.js';
import { formatReason } from './reason-text.js';
import { parseSeniority } from './seniority.js';

type RuleMatch = Extract<RuleEvaluation, { ok: true }>;

/**
 * Computes Fit or Ability: 100 * clamp(sum of weight * match / sum of the positive weights), over the rules whose fact
 * can be used. Known if at least one rule that can earn points was evaluated; supporting rules are not enough.
 */
export function evaluateRuleLayer(rules: readonly (ScoreRule | BuiltInRule)[], evidence: Evidence): LayerEvaluation {
  const evaluated: MatchedRule[] = [];
  const skipped: SkippedRule[] = [];
  let [missingKeys, most, known, takes] = ['', 0, false, false];
  for (const rule of rules) {
    const look = evaluateRule(rule, evidence);
    if (!look.ok) {
      missingKeys += missingKey(look.lack);
      skipped.push(look.lack);
      continue;
    }
    missingKeys += missingKey(undefined);
    evaluated.push(new MatchedRule(rule, look));
    if (rule.weight > 0) {
      most += rule.weight;
      known ||= !look.supports;
    } else takes ||= rule.weight < 0;
  }
  for (const one of evaluated) one.points = most > 0 ? (100 * one.definition.weight * one.evaluation.match) / most : 0;
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

function evaluatePropertyRule(rule: ScoreRule, evidence: Evidence): RuleEvaluation {
  const fact = findFact(evidence, rule.on, rule.property) ?? deriveSeniority(rule, evidence);
  const usable = fact !== undefined && fact.lack === undefined;
  const match = usable ? matchRule(rule, fact.value) : undefined;
  if (usable && match !== undefined) return { ok: true, match, value: fact.value, fact };
  const { property, on, weight } = rule;
  const source = evidence.precise ? 'enrich' : 'research';
  return { ok: false, lack: { property, on, weight: Math.abs(weight), reason: fact?.lack ?? 'absent', source } };
}

/** A seniority is also derived from the title. */
function deriveSeniority({ on, property }: ScoreRule, { person }: Evidence): KnownFact | undefined {
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
