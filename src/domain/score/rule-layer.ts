import { atLeastNothing } from './allocate.js';
import { builtInLook } from './built-in.js';
import { type Evidence, factFor, type KnownFact } from './evidence.js';
import type { Look, Looked, LayerWork, Unlooked } from './layer.js';
import { matchOf } from './match.js';
import { markOf } from './missing.js';
import type { BuiltInRule, IcpModel, Rule } from './model.js';
import { say } from './say.js';
import { seniorityOf } from './seniority.js';

type Seen = Extract<Look, { ok: true }>;

/**
 * Fit and Ability: 100 * clamp(sum of weight * match / sum of the weights above zero), over the rules whose fact can
 * be used. Known as soon as one rule that can earn points was looked at; a rule that only supports is not enough.
 */
export function ruleLayer(rules: readonly (Rule | BuiltInRule)[], evidence: Evidence): LayerWork {
  const looked: LookedRule[] = [];
  const unlooked: Unlooked[] = [];
  let [lacks, most, known, takes] = ['', 0, false, false];
  for (const rule of rules) {
    const look = lookAt(rule, evidence);
    if (!look.ok) {
      lacks += markOf(look.lack);
      unlooked.push(look.lack);
      continue;
    }
    lacks += markOf(undefined);
    looked.push(new LookedRule(rule, look));
    if (rule.weight > 0) {
      most += rule.weight;
      known ||= !look.supports;
    } else takes ||= rule.weight < 0;
  }
  for (const one of looked) one.points = most > 0 ? (100 * one.of.weight * one.look.match) / most : 0;
  if (takes) {
    const points = atLeastNothing(looked.map(one => one.points));
    for (const [i, one] of looked.entries()) one.points = points[i]!;
  }
  return { looked, unlooked, known, lacks };
}

/** Returns the rules of a model that disqualify a lead by their full match. */
export function findDisqualifying({ fit, ability }: IcpModel, evidence: Evidence): Rule[] {
  const rules: Rule[] = [];
  for (const rule of fit) if (disqualifies(rule, evidence)) rules.push(rule);
  for (const rule of ability) if (!('builtIn' in rule) && disqualifies(rule, evidence)) rules.push(rule);
  return rules;
}

function disqualifies(rule: Rule, evidence: Evidence): boolean {
  if (!rule.disqualify) return false;
  const look = lookAt(rule, evidence);
  return look.ok && look.match === 1;
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

/** A rule and what it found. A class, since there are ten of them for each of a thousand leads. */
class LookedRule implements Looked {
  points = 0;

  constructor(
    readonly of: Rule | BuiltInRule,
    readonly look: Seen,
  ) {}

  get rule(): string {
    return this.of.id;
  }

  get ref(): string | null {
    return this.look.fact.ref;
  }

  get weight(): number {
    return Math.abs(this.of.weight);
  }

  get confidence(): number {
    return this.look.fact.confidence;
  }

  text(): string {
    return say(this.of, this.look.value, this.look.match);
  }
}
