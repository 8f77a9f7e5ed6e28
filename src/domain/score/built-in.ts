import type { Json } from '#domain/observation/observation.js';
import { type Evidence, factFor, type KnownFact } from './evidence.js';
import type { BuiltInRule } from './model.js';
import type { Look } from './layer.js';
import { shareOfRank } from './seniority.js';
import { folded, numberIn } from './value.js';

const NONE = new Set(['', 'no', 'none', 'false', 'unknown', 'n/a', 'not now', 'no budget', 'no timeline', 'never']);

/** What a rule of the product finds. */
export function builtInLook(rule: BuiltInRule, evidence: Evidence): Look {
  if (rule.builtIn === 'channel') return channelLook(rule, evidence);
  if (rule.builtIn === 'seniority') return seniorityLook(rule, evidence);
  const fact = factFor(evidence, 'company', rule.builtIn);
  if (fact && fact.lack === undefined) return { ok: true, match: isThere(fact.value) ? 1 : 0, value: fact.value, fact };
  return lacking(rule, rule.builtIn, fact, 'ask');
}

function seniorityLook(rule: BuiltInRule, { person, precise }: Evidence): Look {
  const [stated, title] = [person.get('seniority'), person.get('title')];
  const fact = stated && stated.lack === undefined ? stated : title;
  if (fact && fact.lack === undefined && typeof fact.value === 'string') {
    return { ok: true, match: shareOfRank(fact.value), value: fact.value, fact };
  }
  return lacking(rule, 'title', title ?? stated, precise ? 'enrich' : 'research');
}

/** That somebody can be reached makes nobody a buyer: it adds to what else is known, and is nothing alone. */
function channelLook({ weight }: BuiltInRule, { reachable, precise }: Evidence): Look {
  if (precise || reachable) {
    const value = reachable ? 'reachable' : 'not reachable';
    return { ok: true, match: reachable ? 1 : 0, value, fact: { confidence: 0.9, ref: null }, supports: true };
  }
  return { ok: false, lack: { property: 'email', on: 'person', weight, reason: 'absent', source: 'enrich' } };
}

function lacking(
  { weight }: BuiltInRule,
  property: string,
  fact: KnownFact | undefined,
  source: 'enrich' | 'research' | 'ask',
): Look {
  return { ok: false, lack: { property, on: 'person', weight, reason: fact?.lack ?? 'absent', source } };
}

function isThere(value: Json): boolean {
  if (value === false || value === null) return false;
  if (typeof value === 'string') return !NONE.has(folded(value)) && numberIn(value) !== 0;
  return numberIn(value) !== 0;
}
