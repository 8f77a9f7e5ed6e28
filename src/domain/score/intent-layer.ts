import { decay } from '../claims/trust.js';
import type { Instant } from '../time/instant.js';
import { isPlainObject, EVENT_PREFIX, type JsonValue } from '../observation/observation.js';
import { canonicalEvent, canonicalProperty } from '../properties/registry.js';
import { DEFAULT_HALF_LIFE_DAYS, DEFAULT_INTENT, type IntentModel, type IntentSignal } from './model.js';
import { type ModelProblem, ModelFieldReader } from './model-field-reader.js';
import { normalizeMatchText, collectTexts } from './match-rule.js';
import { clampToZero, type EvaluatedRule, type LayerEvaluation } from './layer.js';
import type { Evidence } from './evidence.js';
import { missingKey } from './missing-facts.js';
import { quoteValue } from './reason-text.js';

const MAX_SIGNALS = 100;

/** Parses the intent signals of a model. Types that it does not name keep their default weight; 0 switches one off. */
export function parseIntentModel(value: JsonValue | undefined, path: string, problems: ModelProblem[]): IntentModel {
  if (value === undefined) return DEFAULT_INTENT;
  const part = new ModelFieldReader(value, path, problems, ['events', 'states']);
  const events = parseEntries(part, 'events').map(([type, signal]) => {
    const canonical = canonicalEvent(type.startsWith(EVENT_PREFIX) ? type : EVENT_PREFIX + type);
    return [canonical.slice(EVENT_PREFIX.length), parseSignal(signal, `${path}.events.${type}`, problems)] as const;
  });
  const states = parseEntries(part, 'states').map(([property, values]) => {
    const own = new ModelFieldReader(
      values,
      `${path}.states.${property}`,
      problems,
      Object.keys(isPlainObject(values) ? values : {}),
    );
    const signals = Object.keys(isPlainObject(values) ? values : {}).map(
      word => [normalizeMatchText(word), parseSignal(own.get(word)!, `${own.path}.${word}`, problems)] as const,
    );
    return [canonicalProperty(property), Object.fromEntries(signals)] as const;
  });
  return {
    events: { ...DEFAULT_INTENT.events, ...Object.fromEntries(events) },
    states: { ...DEFAULT_INTENT.states, ...Object.fromEntries(states) },
  };
}

function parseEntries(part: ModelFieldReader, name: string): [string, JsonValue][] {
  const value = part.get(name);
  if (value === undefined) return [];
  if (isPlainObject(value) && Object.keys(value).length <= MAX_SIGNALS) return Object.entries(value);
  part.report(name, `must be an object of at most ${MAX_SIGNALS} fields.`);
  return [];
}

function parseSignal(value: JsonValue, path: string, problems: ModelProblem[]): IntentSignal {
  const part = new ModelFieldReader(value, path, problems, ['weight', 'half_life_days', 'cap', 'contains']);
  const contains = part.get('contains');
  return {
    weight: part.number('weight', -100, 100),
    halfLifeDays: part.number('half_life_days', 0.01, 36_500, DEFAULT_HALF_LIFE_DAYS),
    ...(part.get('cap') !== undefined && { cap: part.number('cap', 0, 1000) }),
    ...(contains !== undefined && { contains: normalizeMatchText(part.text('contains', 100)) }),
  };
}

/** Number of newest events per type that count. */
export const MAX_SIGNALS_PER_TYPE = 3;

/** Confidence of an event: it was logged by the system in which it happened. */
const EVENT_CONFIDENCE = 0.9;

/** Sum of weights at which the layer reaches 63 of 100. */
const SATURATION_SCALE = 20;

interface WeightedSignal {
  readonly rule: string;
  readonly text: () => string;
  readonly ref: string | null;
  readonly confidence: number;
  readonly x: number;
}

/**
 * Computes Intent: 100 * (1 - e^(-x/20)), where x is the sum of weight * 2^(-age/half-life) over the three newest
 * signals of each type. Unknown only if there was never a signal that counts; faded signals give a low known score.
 */
export function evaluateIntentLayer(model: IntentModel, evidence: Evidence, now: Instant): LayerEvaluation {
  if (evidence.inline) return { evaluated: [], skipped: [], known: false, missingKeys: '' };
  const signs = [...collectEventSignals(model, evidence, now), ...collectStateSignals(model, evidence, now)];
  const parts = clampToZero(signs.map(({ x }) => x));
  const x = parts.reduce((sum, part) => sum + part, 0);
  const score = 100 * (1 - Math.exp(-x / SATURATION_SCALE));
  const evaluated: EvaluatedRule[] = signs.map(({ rule, text, ref, confidence }, i) => {
    const points = x > 0 ? (score * parts[i]!) / x : 0;
    return { rule, text, ref, confidence, weight: 1, points };
  });
  const known = signs.length > 0;
  const skippedRule = {
    property: 'interaction',
    on: 'person',
    weight: 1,
    reason: 'absent',
    source: 'research',
  } as const;
  return {
    evaluated,
    skipped: known ? [] : [skippedRule],
    known,
    coverage: known ? 1 : 0,
    missingKeys: missingKey(known ? undefined : skippedRule),
  };
}

function collectEventSignals({ events }: IntentModel, evidence: Evidence, now: Instant): WeightedSignal[] {
  const byType = Map.groupBy(evidence.events, ({ type }) => type);
  return [...byType]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([type, all]) => {
      const signal = Object.hasOwn(events, type) ? events[type] : undefined;
      if (!signal || signal.weight === 0) return [];
      const newest = all.filter(({ at }) => at <= now).toSorted((a, b) => b.at - a.at || (a.ref < b.ref ? -1 : 1));
      const signs = newest.slice(0, MAX_SIGNALS_PER_TYPE).map(({ at, ref }) => ({
        rule: type,
        text: () => `${type.replaceAll('_', ' ')} ${daysAgo(at, now)}`,
        ref,
        confidence: EVENT_CONFIDENCE,
        x: decayedWeight(signal, at, now),
      }));
      return applyCap(signs, signal);
    });
}

function collectStateSignals({ states }: IntentModel, { person, company }: Evidence, now: Instant): WeightedSignal[] {
  return Object.entries(states).flatMap(([property, values]) => {
    const fact = [person.get(property), company.get(property)].find(each => each && each.missingReason === undefined);
    if (!fact) return [];
    const texts = collectTexts(fact.value);
    const signals = Object.entries(values).filter(([value]) => texts.includes(normalizeMatchText(value)));
    const x = signals.reduce((sum, [, signal]) => sum + decayedWeight(signal, fact.at, now), 0);
    const text = () => `${property} ${quoteValue(fact.value)}`;
    return [{ rule: property, text, ref: fact.ref, confidence: fact.confidence, x }];
  });
}

function decayedWeight({ weight, halfLifeDays }: IntentSignal, at: Instant, now: Instant): number {
  return weight * decay(Math.max(0, now - at), halfLifeDays);
}

function applyCap(signs: WeightedSignal[], { cap }: IntentSignal): WeightedSignal[] {
  const sum = signs.reduce((all, { x }) => all + x, 0);
  if (cap === undefined || Math.abs(sum) <= cap || sum === 0) return signs;
  return signs.map(sign => ({ ...sign, x: (sign.x * cap) / Math.abs(sum) }));
}

function daysAgo(at: Instant, now: Instant): string {
  const days = Math.floor((now - at) / 86_400_000_000);
  if (days < 1) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
