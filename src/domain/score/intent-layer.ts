import { decay } from '#domain/claims/strength.js';
import type { Instant } from '#domain/time/instant.js';
import { atLeastNothing } from './allocate.js';
import type { Evidence } from './evidence.js';
import type { Looked, LayerWork } from './layer.js';
import { markOf } from './missing.js';
import type { IntentModel, Signal } from './model.js';
import { quoted } from './say.js';
import { folded, textsIn } from './value.js';

/** The newest events of one type that count; an older one adds nothing that these do not say. */
export const STRONGEST = 3;

/** How sure an event is: it was logged by the system that it happened in. */
const EVENT_CONFIDENCE = 0.9;

/** At this sum of weights the layer has reached 63 of 100. */
const SCALE = 20;

interface Sign {
  readonly rule: string;
  readonly text: () => string;
  readonly ref: string | null;
  readonly confidence: number;
  readonly x: number;
}

/**
 * Intent: 100 * (1 - e^(-x/20)), x being the sum of weight * 2^(-age/half-life) over the three strongest signs of each
 * type. Unknown only when there never was a sign that counts: what has faded away gives a low known score.
 */
export function intentLayer(model: IntentModel, evidence: Evidence, now: Instant): LayerWork {
  if (evidence.inline) return { looked: [], unlooked: [], known: false, lacks: '' };
  const signs = [...eventSigns(model, evidence, now), ...stateSigns(model, evidence, now)];
  const parts = atLeastNothing(signs.map(({ x }) => x));
  const x = parts.reduce((sum, part) => sum + part, 0);
  const score = 100 * (1 - Math.exp(-x / SCALE));
  const looked: Looked[] = signs.map(({ rule, text, ref, confidence }, i) => {
    const points = x > 0 ? (score * parts[i]!) / x : 0;
    return { rule, text, ref, confidence, weight: 1, points };
  });
  const known = signs.length > 0;
  const lack = { property: 'interaction', on: 'person', weight: 1, reason: 'absent', source: 'research' } as const;
  return {
    looked,
    unlooked: known ? [] : [lack],
    known,
    coverage: known ? 1 : 0,
    lacks: markOf(known ? undefined : lack),
  };
}

function eventSigns({ events }: IntentModel, evidence: Evidence, now: Instant): Sign[] {
  const byType = Map.groupBy(evidence.events, ({ type }) => type);
  return [...byType]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([type, all]) => {
      const signal = Object.hasOwn(events, type) ? events[type] : undefined;
      if (!signal || signal.weight === 0) return [];
      const newest = all.filter(({ at }) => at <= now).toSorted((a, b) => b.at - a.at || (a.ref < b.ref ? -1 : 1));
      const signs = newest.slice(0, STRONGEST).map(({ at, ref }) => ({
        rule: type,
        text: () => `${type.replaceAll('_', ' ')} ${daysAgo(at, now)}`,
        ref,
        confidence: EVENT_CONFIDENCE,
        x: worth(signal, at, now),
      }));
      return capped(signs, signal);
    });
}

function stateSigns({ states }: IntentModel, { person, company }: Evidence, now: Instant): Sign[] {
  return Object.entries(states).flatMap(([property, values]) => {
    const fact = [person.get(property), company.get(property)].find(each => each && each.lack === undefined);
    if (!fact) return [];
    const said = textsIn(fact.value);
    const signals = Object.entries(values).filter(([value]) => said.includes(folded(value)));
    const x = signals.reduce((sum, [, signal]) => sum + worth(signal, fact.at, now), 0);
    const text = () => `${property} ${quoted(fact.value)}`;
    return [{ rule: property, text, ref: fact.ref, confidence: fact.confidence, x }];
  });
}

function worth({ weight, halfLifeDays }: Signal, at: Instant, now: Instant): number {
  return weight * decay(Math.max(0, now - at), halfLifeDays);
}

function capped(signs: Sign[], { cap }: Signal): Sign[] {
  const sum = signs.reduce((all, { x }) => all + x, 0);
  if (cap === undefined || Math.abs(sum) <= cap || sum === 0) return signs;
  return signs.map(sign => ({ ...sign, x: (sign.x * cap) / Math.abs(sum) }));
}

function daysAgo(at: Instant, now: Instant): string {
  const days = Math.floor((now - at) / 86_400_000_000);
  if (days < 1) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
