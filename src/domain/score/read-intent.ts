import { isPlainObject } from '#domain/observation/json-check.js';
import { EVENT_PREFIX, type Json } from '#domain/observation/observation.js';
import { canonicalEvent, canonicalProperty } from '#domain/properties/registry.js';
import { DEFAULT_HALF_LIFE, DEFAULT_INTENT } from './defaults.js';
import type { IntentModel, Signal } from './model.js';
import { type ModelProblem, Part } from './reading.js';
import { folded } from './value.js';

const MAX_SIGNALS = 100;

/** Reads which signs of interest count. Types that a model does not name keep their usual weight; 0 switches one off. */
export function readIntent(value: Json | undefined, path: string, problems: ModelProblem[]): IntentModel {
  if (value === undefined) return DEFAULT_INTENT;
  const part = new Part(value, path, problems, ['events', 'states']);
  const events = entriesOf(part, 'events').map(([type, signal]) => {
    const canonical = canonicalEvent(type.startsWith(EVENT_PREFIX) ? type : EVENT_PREFIX + type);
    return [canonical.slice(EVENT_PREFIX.length), readSignal(signal, `${path}.events.${type}`, problems)] as const;
  });
  const states = entriesOf(part, 'states').map(([property, values]) => {
    const own = new Part(
      values,
      `${path}.states.${property}`,
      problems,
      Object.keys(isPlainObject(values) ? values : {}),
    );
    const signals = Object.keys(isPlainObject(values) ? values : {}).map(
      word => [folded(word), readSignal(own.get(word)!, `${own.path}.${word}`, problems)] as const,
    );
    return [canonicalProperty(property), Object.fromEntries(signals)] as const;
  });
  return {
    events: { ...DEFAULT_INTENT.events, ...Object.fromEntries(events) },
    states: { ...DEFAULT_INTENT.states, ...Object.fromEntries(states) },
  };
}

function entriesOf(part: Part, name: string): [string, Json][] {
  const value = part.get(name);
  if (value === undefined) return [];
  if (isPlainObject(value) && Object.keys(value).length <= MAX_SIGNALS) return Object.entries(value);
  part.report(name, `must be an object of at most ${MAX_SIGNALS} fields.`);
  return [];
}

function readSignal(value: Json, path: string, problems: ModelProblem[]): Signal {
  const part = new Part(value, path, problems, ['weight', 'half_life_days', 'cap', 'contains']);
  const contains = part.get('contains');
  return {
    weight: part.number('weight', -100, 100),
    halfLifeDays: part.number('half_life_days', 0.01, 36_500, DEFAULT_HALF_LIFE),
    ...(part.get('cap') !== undefined && { cap: part.number('cap', 0, 1000) }),
    ...(contains !== undefined && { contains: folded(part.text('contains', 100)) }),
  };
}
