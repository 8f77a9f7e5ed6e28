import { decay } from '#domain/claims/strength.js';
import type { Json } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { type Evidence, factFor, type KnownFact } from './evidence.js';
import type { Looked, LayerWork, Unlooked } from './layer.js';
import { containsAny } from './match.js';
import { markOf } from './missing.js';
import type { PainRule } from './model.js';
import { quoted } from './say.js';

/** Where words about a lead stand. */
export const SAID = ['headline', 'keywords', 'pain', 'pain_points', 'description', 'title', 'industry'] as const;

interface Hint {
  readonly rule: PainRule;
  /** The fact that shows it, or else the first in which it might have stood; undefined where there is none. */
  readonly fact: KnownFact | undefined;
  readonly isShown: boolean;
}

/** Pain: 100 * (1 - PROD over the hints that are there of (1 - p * 2^(-age/half-life))). */
export function painLayer(rules: readonly PainRule[], evidence: Evidence, now: Instant): LayerWork {
  const hints: (Hint & { readonly fact: KnownFact; readonly log: number })[] = [];
  const unlooked: Unlooked[] = [];
  let [lacks, calm, all] = ['', 1, 0];
  for (const rule of rules) {
    const { fact, isShown } = hintOf(rule, evidence);
    const lack = fact ? undefined : unlookedOf(rule, evidence);
    lacks += markOf(lack);
    if (lack) unlooked.push(lack);
    if (!fact) continue;
    const share = isShown ? rule.p * decay(Math.max(0, now - fact.at), rule.halfLifeDays) : 0;
    const log = -Math.log1p(-share);
    hints.push({ rule, fact, isShown, log });
    calm *= 1 - share;
    all += log;
  }
  const score = 100 * (1 - calm);
  const looked = hints.map(hint => lookedOf(hint, all > 0 ? (score * hint.log) / all : 0));
  return { looked, unlooked, known: looked.length > 0, lacks };
}

function hintOf(rule: PainRule, evidence: Evidence): Hint {
  const { match } = rule;
  if ('property' in match) {
    const fact = usable(evidence, match.property);
    return { rule, fact, isShown: fact !== undefined && fact.value !== false && fact.value !== null };
  }
  if ('technology' in match) {
    const fact = usable(evidence, 'technologies');
    return { rule, fact, isShown: fact !== undefined && containsAny(fact.value, match.technology) };
  }
  let first: KnownFact | undefined;
  for (const property of SAID) {
    const fact = usable(evidence, property);
    if (fact && containsAny(fact.value, match.keyword)) return { rule, fact, isShown: true };
    first ??= fact;
  }
  return { rule, fact: first, isShown: false };
}

function usable(evidence: Evidence, property: string): KnownFact | undefined {
  const fact = factFor(evidence, 'company', property);
  return fact?.lack === undefined ? fact : undefined;
}

function lookedOf({ rule, fact, isShown }: Hint & { readonly fact: KnownFact }, points: number): Looked {
  const { confidence, ref, value } = fact;
  const text = () => sentenceOf(rule, isShown ? value : null);
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
