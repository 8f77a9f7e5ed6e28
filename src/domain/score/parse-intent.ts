import { isPlainObject } from '#domain/observation/value-issue.js';
import { EVENT_PREFIX, type JsonValue } from '#domain/observation/observation.js';
import { canonicalEvent, canonicalProperty } from '#domain/properties/registry.js';
import { DEFAULT_HALF_LIFE_DAYS, DEFAULT_INTENT } from './default-model.js';
import type { IntentModel, IntentSignal } from './model.js';
import { type ModelProblem, ModelFieldReader } from './model-field-reader.js';
import { normalizeMatchText } from './rule-value.js';

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
