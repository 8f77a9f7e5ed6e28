import { decay } from '#domain/claims/strength.js';
import type { Json } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { type Evidence, factFor, type KnownFact } from './evidence.js';
import type { Looked, LayerWork, Unlooked } from './layer.js';
import { containsAny } from './match.js';
import { markOf } from './missing.js';
import type { PainRule } from './model.js';
import { quoted } from './say.js';
import { folded } from './value.js';

/** Where words about a lead stand. */
export const SAID = ['headline', 'keywords', 'pain', 'pain_points', 'description', 'title', 'industry'] as const;

const TECHNOLOGIES = ['technologies'] as const;

/** What the evidence says about one rule. */
interface Hint {
  readonly rule: PainRule;
  /** The fact that shows the pain or denies it. */
  readonly fact: KnownFact;
  readonly isShown: boolean;
}

/**
 * Computes Pain: 100 * (1 - PROD over the pains that are shown of (1 - p * 2^(-age/half-life))). Only a fact that shows
 * a pain or denies one is evidence. Words and technologies that do not mention a pain say nothing about it, so the rule
 * counts as not evaluated, and the layer stays unknown when no rule was.
 */
export function painLayer(rules: readonly PainRule[], evidence: Evidence, now: Instant): LayerWork {
  const hints: (Hint & { readonly log: number })[] = [];
  const unlooked: Unlooked[] = [];
  let [lacks, calm, all] = ['', 1, 0];
  for (const rule of rules) {
    const hint = findHint(rule, evidence);
    const lack = hint ? undefined : unlookedOf(rule, evidence);
    lacks += markOf(lack);
    if (lack) unlooked.push(lack);
    if (!hint) continue;
    const share = hint.isShown ? rule.p * decay(Math.max(0, now - hint.fact.at), rule.halfLifeDays) : 0;
    const log = -Math.log1p(-share);
    hints.push({ ...hint, log });
    calm *= 1 - share;
    all += log;
  }
  const score = 100 * (1 - calm);
  const looked = hints.map(hint => lookedOf(hint, all > 0 ? (score * hint.log) / all : 0));
  return { looked, unlooked, known: looked.length > 0, lacks };
}

/** Returns whether a value of a pain property denies the pain (`false`, "no", "no pain") instead of describing it. */
export function isDenial(value: Json): boolean {
  return value === false || (typeof value === 'string' && DENIALS.has(folded(value)));
}

const DENIALS = new Set(['no', 'false', 'no pain', 'no pains', 'no pain points', 'no problem', 'no problems']);

function findHint(rule: PainRule, evidence: Evidence): Hint | undefined {
  const { match } = rule;
  if ('property' in match) {
    const fact = usable(evidence, match.property);
    return fact && { rule, fact, isShown: !isDenial(fact.value) };
  }
  const [properties, words] = 'technology' in match ? [TECHNOLOGIES, match.technology] : [SAID, match.keyword];
  for (const property of properties) {
    const fact = usable(evidence, property);
    if (fact && containsAny(fact.value, words)) return { rule, fact, isShown: true };
  }
  return undefined;
}

function usable(evidence: Evidence, property: string): KnownFact | undefined {
  const fact = factFor(evidence, 'company', property);
  return fact?.lack === undefined ? fact : undefined;
}

function lookedOf({ rule, fact }: Hint, points: number): Looked {
  const { confidence, ref, value } = fact;
  const text = () => sentenceOf(rule, value);
  return { rule: rule.id, text, ref, weight: rule.p, confidence, points };
}

function sentenceOf({ match }: PainRule, value: Json): string {
  if ('property' in match) return `${match.property} ${quoted(value)}`;
  return `${('keyword' in match ? match.keyword : match.technology).join(' or ')} in ${quoted(value)}`;
}

function unlookedOf({ match, p }: PainRule, evidence: Evidence): Unlooked {
  const property = 'property' in match ? match.property : 'keyword' in match ? 'keywords' : 'technologies';
  const reason = factFor(evidence, 'company', property)?.lack ?? 'absent';
  const source = property === 'technologies' && evidence.precise ? 'enrich' : 'research';
  return { property, on: 'company', weight: p, reason, source };
}
