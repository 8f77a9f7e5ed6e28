import { canonKey } from '#domain/claims/canon.js';
import { type ClaimRules, type EvidenceClass, ruleOf } from '#domain/claims/rules.js';
import type { Statement } from '#domain/claims/state.js';
import { reliabilityOf } from '#domain/claims/trust.js';
import { DAY, type Instant } from '#domain/time/instant.js';

interface Said extends Statement {
  t: Instant;
  r: number;
  class: EvidenceClass;
  key: string;
}

/** What the model says of a log. */
export interface Modelled {
  key: string;
  from: Instant;
  confidence: number;
  contested: boolean;
  corroborated: boolean;
  /** Of the strongest statement for the current value. */
  class: EvidenceClass | undefined;
  history: { key: string; from: Instant; to: Instant; endedBy: string }[];
}

/**
 * The fold of the specification written down as plainly as it is told there: everything is kept, nothing is bounded,
 * nothing is stored. For single-valued properties whose sources neither yield nor lift.
 */
export function modelOf(rules: ClaimRules, property: string, log: readonly Statement[]): Modelled {
  const rule = ruleOf(rules, property);
  const said = log.map(s => saidOf(rules, property, s)).sort(inOrder);
  const half = (days: number, t: Instant, o: Said): number => o.r * 2 ** (-(t - o.t) / (days * DAY));
  const strength = (set: Said[], t: Instant, days: number, share = 1): number => {
    const best = new Map<string, number>();
    for (const o of set) best.set(o.source, Math.max(best.get(o.source) ?? 0, share * half(days, t, o)));
    return 1 - [...best.values()].reduce((wrong, weight) => wrong * (1 - weight), 1);
  };

  let evidence: Said[] = [];
  let from: Instant | undefined;
  let challengers: Said[] = [];
  const last = new Map<string, Said>();
  const history: Modelled['history'] = [];
  for (const o of said) {
    last.set(o.source, o);
    challengers = challengers.filter(c => c.source !== o.source);
    const key = evidence[0]?.key;
    if (from === undefined) [evidence, from] = [[o], o.t];
    else if (o.key === key) evidence.push(o);
    else {
      challengers.push(o);
      const mine = challengers.filter(c => c.key === o.key);
      const theta = rule.latest ? 0 : rules.takeoverShare;
      if (strength(mine, o.t, rule.halfLife) < theta * strength(evidence, o.t, rule.halfLife)) continue;
      const start = Math.max(from, Math.min(...mine.map(c => c.t)));
      if (start > from) history.push({ key: key ?? '', from, to: start, endedBy: mine[0]?.id ?? '' });
      [evidence, from] = [mine, start];
      challengers = challengers.filter(c => c.key !== o.key);
    }
  }

  const key = evidence[0]?.key ?? '';
  const now = said.at(-1)?.t ?? 0;
  const opposing = rule.latest ? [] : [...last.values()].filter(o => o.key !== key);
  const fades = rule.halfLife * rules.opposingHalfLife;
  const support = strength(evidence, now, rule.halfLife);
  const against = strength(opposing, now, fades, rules.opposingWeight);
  return {
    key,
    from: from ?? 0,
    confidence: Math.min(rules.ceiling, support * (1 - against)),
    contested: opposing.length > 0 && strength(opposing, now, fades) >= rules.contestedShare * support,
    corroborated: new Set(evidence.map(o => o.source)).size >= 2 && evidence.some(o => o.class !== 'inferred'),
    class: evidence.toSorted((one, other) => half(rule.halfLife, now, one) - half(rule.halfLife, now, other)).at(-1)
      ?.class,
    history,
  };
}

function saidOf(rules: ClaimRules, property: string, s: Statement): Said {
  const trust = reliabilityOf(rules, s.source, s.method);
  const key = canonKey(s.value, ruleOf(rules, property).normaliser);
  return { ...s, t: s.observedAt, r: trust.r, class: trust.class, key };
}

function inOrder(one: Said, other: Said): number {
  return one.t - other.t || one.r - other.r || text(one.digest, other.digest) || text(one.id, other.id);
}

function text(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
