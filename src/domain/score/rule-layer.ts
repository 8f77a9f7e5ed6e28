import type { Json } from '#domain/observation/observation.js';
import { atLeastNothing } from './allocate.js';
import { builtInLook } from './built-in.js';
import { type Evidence, factFor, type KnownFact } from './evidence.js';
import type { Looked, LayerWork, Unlooked } from './layer.js';
import { matchOf } from './match.js';
import type { BuiltInRule, Rule } from './model.js';
import { say } from './say.js';
import { seniorityOf } from './seniority.js';

/** What became of one rule: how far it matched, or what it would need. */
export type Look =
  | {
      readonly ok: true;
      readonly match: number;
      readonly value: Json;
      readonly fact: Pick<KnownFact, 'confidence' | 'ref'>;
      readonly supports?: true;
    }
  | { readonly ok: false; readonly lack: Unlooked };

/**
 * Fit and Ability: 100 * clamp(sum of weight * match / sum of the weights above zero), over the rules whose fact can
 * be used. Known as soon as one rule that can earn points was looked at; a rule that only supports is not enough.
 */
export function ruleLayer(rules: readonly (Rule | BuiltInRule)[], evidence: Evidence): LayerWork {
  const looks = rules.map(rule => ({ rule, look: lookAt(rule, evidence) }));
  const seen = looks.flatMap(({ rule, look }) => (look.ok ? [{ rule, look }] : []));
  const most = seen.reduce((sum, { rule }) => sum + Math.max(rule.weight, 0), 0);
  const known = seen.some(({ rule, look }) => rule.weight > 0 && !look.supports);
  const points = atLeastNothing(seen.map(({ rule, look }) => (most > 0 ? (100 * rule.weight * look.match) / most : 0)));
  return {
    looked: seen.map(({ rule, look }, i) => lookedOf(rule, look, points[i]!)),
    unlooked: looks.flatMap(({ look }) => (look.ok ? [] : [look.lack])),
    known,
  };
}

/** The rules of a model whose full match rules a lead out. */
export function disqualifiedBy(rules: readonly (Rule | BuiltInRule)[], evidence: Evidence): boolean {
  return rules.some(rule => {
    if ('builtIn' in rule || !rule.disqualify) return false;
    const look = lookAt(rule, evidence);
    return look.ok && look.match === 1;
  });
}

function lookAt(rule: Rule | BuiltInRule, evidence: Evidence): Look {
  return 'builtIn' in rule ? builtInLook(rule, evidence) : lookAtProperty(rule, evidence);
}

function lookAtProperty(rule: Rule, evidence: Evidence): Look {
  const fact = factFor(evidence, rule.on, rule.property) ?? derived(rule, evidence);
  const usable = fact !== undefined && fact.lack === undefined;
  const match = usable ? matchOf(rule, fact.value) : undefined;
  if (usable && match !== undefined) return { ok: true, match, value: fact.value, fact };
  const { property, on, weight } = rule;
  const source = evidence.precise ? 'enrich' : 'research';
  return { ok: false, lack: { property, on, weight: Math.abs(weight), reason: fact?.lack ?? 'absent', source } };
}

/** A rank is also told by the title. */
function derived({ on, property }: Rule, { person }: Evidence): KnownFact | undefined {
  const title = on === 'person' && property === 'seniority' ? person.get('title') : undefined;
  return title && typeof title.value === 'string' ? { ...title, value: seniorityOf(title.value) } : undefined;
}

function lookedOf(rule: Rule | BuiltInRule, look: Extract<Look, { ok: true }>, points: number): Looked {
  const { fact, value, match } = look;
  return {
    rule: rule.id,
    text: () => say(rule, value, match),
    ref: fact.ref,
    weight: Math.abs(rule.weight),
    confidence: fact.confidence,
    points,
  };
}
