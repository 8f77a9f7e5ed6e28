import { decay } from '#domain/claims/strength.js';
import type { Instant } from '#domain/time/instant.js';
import { type Evidence, factFor, type KnownFact } from './evidence.js';
import type { Looked, LayerWork, Unlooked } from './layer.js';
import { containsAny } from './match.js';
import type { PainRule } from './model.js';
import { quoted } from './say.js';

/** Where words about a lead stand. */
const SAID = ['headline', 'keywords', 'pain', 'pain_points', 'description', 'title', 'industry'] as const;

interface Hint {
  readonly rule: PainRule;
  readonly facts: readonly KnownFact[];
  /** The fact that shows it; undefined when none does. */
  readonly shown: KnownFact | undefined;
  readonly text: () => string;
}

/** Pain: 100 * (1 - PROD over the hints that are there of (1 - p * 2^(-age/half-life))). */
export function painLayer(rules: readonly PainRule[], evidence: Evidence, now: Instant): LayerWork {
  const hints = rules.map(rule => hintOf(rule, evidence));
  const seen = hints.filter(({ facts }) => facts.length > 0);
  const shares = seen.map(({ rule, shown }) => (shown ? rule.p * fadedBy(shown, rule, now) : 0));
  const score = 100 * (1 - shares.reduce((calm, share) => calm * (1 - share), 1));
  const logs = shares.map(share => -Math.log1p(-share));
  const all = logs.reduce((sum, log) => sum + log, 0);
  return {
    looked: seen.map((hint, i) => lookedOf(hint, all > 0 ? (score * logs[i]!) / all : 0)),
    unlooked: hints.filter(({ facts }) => facts.length === 0).map(({ rule }) => unlookedOf(rule, evidence)),
    known: seen.length > 0,
  };
}

function fadedBy({ at }: KnownFact, { halfLifeDays }: PainRule, now: Instant): number {
  return decay(Math.max(0, now - at), halfLifeDays);
}

function hintOf(rule: PainRule, evidence: Evidence): Hint {
  const { match } = rule;
  if ('property' in match) {
    const facts = usable(evidence, [match.property]);
    const shown = facts.find(({ value }) => value !== false && value !== null);
    return { rule, facts, shown, text: () => `${match.property} ${quoted(shown?.value ?? null)}` };
  }
  const words = 'keyword' in match ? match.keyword : match.technology;
  const facts = usable(evidence, 'keyword' in match ? SAID : ['technologies']);
  const shown = facts.find(({ value }) => containsAny(value, words));
  return { rule, facts, shown, text: () => `${words.join(' or ')} in ${quoted(shown?.value ?? null)}` };
}

function usable(evidence: Evidence, properties: readonly string[]): KnownFact[] {
  return properties.flatMap(property => {
    const fact = factFor(evidence, 'company', property);
    return fact && fact.lack === undefined ? [fact] : [];
  });
}

function lookedOf({ rule, facts, shown, text }: Hint, points: number): Looked {
  const { confidence, ref } = shown ?? facts[0]!;
  return { rule: rule.id, text, ref, weight: rule.p, confidence, points };
}

function unlookedOf({ match, p }: PainRule, evidence: Evidence): Unlooked {
  const property = 'property' in match ? match.property : 'keyword' in match ? 'keywords' : 'technologies';
  const reason = factFor(evidence, 'company', property)?.lack ?? 'absent';
  const source = property === 'technologies' && evidence.precise ? 'enrich' : 'research';
  return { property, on: 'company', weight: p, reason, source };
}
