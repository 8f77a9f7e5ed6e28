import { comparisonKey, comparisonTypeOf } from '#domain/comparison/comparison-key.js';
import { type ClaimRules, type EvidenceClass, ruleOf } from '#domain/claims/rules.js';
import type { Statement } from '#domain/claims/property-state.js';
import { resolveReliability } from '#domain/claims/trust.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';

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
  const stated = log.map(s => saidOf(rules, property, s)).sort(inOrder);
  const half = (days: number, t: Instant, o: Said): number => o.r * 2 ** (-(t - o.t) / (days * DAY_US));
  const noisyOr = (weights: Iterable<number>): number => 1 - [...weights].reduce((wrong, w) => wrong * (1 - w), 1);
  const family = (o: Said): string => o.source.split(':')[0]!.replace('person', 'user');
  const isCorrection = (o: Said): boolean => family(o) === 'user' && o.method === 'correction';
  const strength = (set: Said[], t: Instant): number => {
    const best = new Map<string, number>();
    for (const o of set) best.set(family(o), Math.max(best.get(family(o)) ?? 0, half(rule.halfLife, t, o)));
    return noisyOr(best.values());
  };

  let evidence: Said[] = [];
  let from: Instant | undefined;
  let challengers: Said[] = [];
  const last = new Map<string, Said>();
  const run = new Map<string, Instant>();
  const history: Modelled['history'] = [];
  /** When the value was decided: when it began, or when a correction that is still its source's word confirmed it. */
  const decided = (key: string | undefined): Instant =>
    Math.max(from!, ...[...last.values()].filter(o => o.key === key && isCorrection(o)).map(o => o.t));
  for (const o of stated) {
    const isNews = o.event || isCorrection(o);
    if (isNews || last.get(o.source)?.key !== o.key) run.set(o.source, o.t);
    last.set(o.source, o);
    challengers = challengers.filter(c => c.source !== o.source);
    const key = evidence[0]?.key;
    if (from === undefined) [evidence, from] = [[o], o.t];
    else if (o.key === key) evidence.push(o);
    else {
      challengers.push(o);
      const mine = challengers.filter(c => c.key === o.key);
      const theta = rule.latestWins ? 0 : rules.takeoverShare;
      const stale = theta > 0 && mine.every(c => run.get(c.source)! < decided(key));
      if (strength(mine, o.t) < (stale ? 1.25 : theta) * strength(evidence, o.t)) continue;
      const start = Math.max(from, Math.min(...mine.map(c => c.t)));
      if (start > from) history.push({ key: key ?? '', from, to: start, endedBy: mine[0]?.id ?? '' });
      const again = [...last.values()].filter(other => other.key === o.key && !mine.includes(other));
      [evidence, from] = [[...mine, ...again], start];
      challengers = challengers.filter(c => c.key !== o.key);
    }
  }

  const key = evidence[0]?.key ?? '';
  const now = stated.at(-1)?.t ?? 0;
  const opposing = rule.latestWins ? [] : [...last.values()].filter(o => o.key !== key);
  const fades = rule.halfLife * rules.opposingHalfLife;
  const support = strength(evidence, now);
  const heaviest = evidence.toSorted((a, b) => half(rule.halfLife, now, a) - half(rule.halfLife, now, b)).at(-1);
  const outvoted = (o: Said): boolean => run.get(o.source)! < decided(key) && o.r < heaviest!.r;
  const weights = opposing.map(o => (outvoted(o) ? 0.25 : 1) * half(fades, now, o));
  const against = noisyOr(weights.map(w => 0.4 * w));
  return {
    key,
    from: from ?? 0,
    confidence: Math.min(rules.ceiling, support * (1 - against)),
    contested: opposing.length > 0 && noisyOr(weights) >= rules.contestedShare * support,
    corroborated: new Set(evidence.map(family)).size >= 2 && evidence.some(o => o.class !== 'inferred'),
    class: heaviest?.class,
    history,
  };
}

function saidOf(rules: ClaimRules, property: string, s: Statement): Said {
  const trust = resolveReliability(rules, s.source, s.method);
  const key = comparisonKey(comparisonTypeOf(property), s.value);
  return { ...s, t: s.observedAt, r: trust.r, class: trust.class, key };
}

function inOrder(one: Said, other: Said): number {
  return one.t - other.t || one.r - other.r || text(one.digest, other.digest) || text(one.id, other.id);
}

function text(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
