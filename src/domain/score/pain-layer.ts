import { decay } from '../claims/trust.js';
import type { JsonValue } from '../observation/observation.js';
import type { Instant } from '../time/instant.js';
import { type Evidence, findFact, type KnownFact } from './evidence.js';
import type { EvaluatedRule, LayerEvaluation, SkippedRule } from './layer.js';
import { containsAny, normalizeMatchText } from './match-rule.js';
import { missingKey } from './missing-facts.js';
import type { PainRule } from './model.js';
import { quoteValue } from './reason-text.js';

/** Properties in which keywords are searched. */
export const KEYWORD_PROPERTIES = [
  'headline',
  'keywords',
  'pain',
  'pain_points',
  'description',
  'title',
  'industry',
] as const;

const TECHNOLOGIES = ['technologies'] as const;

/** Evidence for one rule. */
interface PainHint {
  readonly rule: PainRule;
  /** The fact that shows the pain or denies it. */
  readonly fact: KnownFact;
  readonly isShown: boolean;
}

/**
 * Computes Pain: 100 * (1 - PROD over the shown pains of (1 - p * 2^(-age/half-life))). Only a fact that shows or
 * denies a pain is evidence. Words and technologies that do not mention a pain say nothing about it, so the rule counts
 * as not evaluated, and the layer stays unknown if no rule was.
 */
export function evaluatePainLayer(rules: readonly PainRule[], evidence: Evidence, now: Instant): LayerEvaluation {
  const hints: (PainHint & { readonly log: number })[] = [];
  const skipped: SkippedRule[] = [];
  let [missingKeys, calm, all] = ['', 1, 0];
  for (const rule of rules) {
    const hint = findHint(rule, evidence);
    const skippedRule = hint ? undefined : toSkippedRule(rule, evidence);
    missingKeys += missingKey(skippedRule);
    if (skippedRule) skipped.push(skippedRule);
    if (!hint) continue;
    const share = hint.isShown ? rule.p * decay(Math.max(0, now - hint.fact.at), rule.halfLifeDays) : 0;
    const log = -Math.log1p(-share);
    hints.push({ ...hint, log });
    calm *= 1 - share;
    all += log;
  }
  const score = 100 * (1 - calm);
  const evaluated = hints.map(hint => toEvaluatedRule(hint, all > 0 ? (score * hint.log) / all : 0));
  return { evaluated, skipped, known: evaluated.length > 0, missingKeys };
}

/** Returns whether a value of a pain property denies the pain (`false`, "no", "no pain") instead of describing it. */
export function isDenial(value: JsonValue): boolean {
  return value === false || (typeof value === 'string' && DENIALS.has(normalizeMatchText(value)));
}

const DENIALS = new Set(['no', 'false', 'no pain', 'no pains', 'no pain points', 'no problem', 'no problems']);

function findHint(rule: PainRule, evidence: Evidence): PainHint | undefined {
  const { match } = rule;
  if ('property' in match) {
    const fact = findUsableFact(evidence, match.property);
    return fact && { rule, fact, isShown: !isDenial(fact.value) };
  }
  const [properties, words] =
    'technology' in match ? [TECHNOLOGIES, match.technology] : [KEYWORD_PROPERTIES, match.keyword];
  for (const property of properties) {
    const fact = findUsableFact(evidence, property);
    if (fact && containsAny(fact.value, words)) return { rule, fact, isShown: true };
  }
  return undefined;
}

function findUsableFact(evidence: Evidence, property: string): KnownFact | undefined {
  const fact = findFact(evidence, 'company', property);
  return fact?.missingReason === undefined ? fact : undefined;
}

function toEvaluatedRule({ rule, fact }: PainHint, points: number): EvaluatedRule {
  const { confidence, ref, value } = fact;
  const text = () => describeHint(rule, value);
  return { rule: rule.id, text, ref, weight: rule.p, confidence, points };
}

function describeHint({ match }: PainRule, value: JsonValue): string {
  if ('property' in match) return `${match.property} ${quoteValue(value)}`;
  return `${('keyword' in match ? match.keyword : match.technology).join(' or ')} in ${quoteValue(value)}`;
}

function toSkippedRule({ match, p }: PainRule, evidence: Evidence): SkippedRule {
  const property = 'property' in match ? match.property : 'keyword' in match ? 'keywords' : 'technologies';
  const reason = findFact(evidence, 'company', property)?.missingReason ?? 'absent';
  const source = property === 'technologies' && evidence.precise ? 'enrich' : 'research';
  return { property, on: 'company', weight: p, reason, source };
}
