import type { JsonValue } from '../observation/observation.js';
import { DEFAULT_PAIN } from '../score/model.js';
import type { RawRule } from './parse-description.js';

/** Inputs of a model. Where two rules have the same target, the earlier input wins. */
export interface ModelInputs {
  /** Rules given explicitly. */
  readonly rules: readonly RawRule[];
  readonly described: readonly RawRule[];
  readonly learned: readonly RawRule[];
  readonly pain: readonly RawRule[];
  readonly description: string | undefined;
}

/** A rule in words, with its weight. */
export interface IcpRuleSummary {
  readonly key: string;
  readonly label: string;
  /** Points relative to the other rules; null for a disqualifying rule. */
  readonly weight: number | null;
}

/** Composes the content of the section `icp`: a model that still has to be validated. */
export function composeModel({ rules, described, learned, pain, description }: ModelInputs): Record<string, JsonValue> {
  const fit = [...rules];
  for (const rule of [...described, ...learned]) if (!fit.some(other => isSameTarget(other, rule))) fit.push(rule);
  return {
    id: 'icp',
    ...(description !== undefined && { description }),
    fit: fit.map((rule, i) => ({ ...rule, id: rule['id'] ?? buildRuleId(rule, i) })),
    ...(pain.length > 0 && {
      pain: [...defaultPainRules(), ...pain.map((rule, i) => ({ id: `said_${i + 1}`, ...rule }))],
    }),
  };
}

/** Describes the rules of a model in words. */
export function summarizeRules(model: Readonly<Record<string, JsonValue>>): IcpRuleSummary[] {
  const rules = Array.isArray(model['fit']) ? (model['fit'] as RawRule[]) : [];
  return rules.map(rule => ({
    key: String(rule['id']),
    label: describeRule(rule),
    weight: rule['disqualify'] === true ? null : Number(rule['weight'] ?? 1),
  }));
}

function isSameTarget(one: RawRule, other: RawRule): boolean {
  const excludes = (rule: RawRule) => rule['disqualify'] === true;
  const bound = (rule: RawRule) => (['gte', 'lte'].includes(String(rule['op'])) ? rule['op'] : 'any');
  return one['property'] === other['property'] && excludes(one) === excludes(other) && bound(one) === bound(other);
}

function buildRuleId({ property, disqualify }: RawRule, place: number): string {
  return `${disqualify === true ? 'no_' : ''}${String(property)}_${place + 1}`;
}

function defaultPainRules(): JsonValue[] {
  return DEFAULT_PAIN.map(({ id, match, p, halfLifeDays }) => ({ id, match, p, half_life_days: halfLifeDays }));
}

const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  eq: 'is',
  in: 'is one of',
  contains_any: 'has one of',
  matches: 'matches',
  gte: 'is at least',
  lte: 'is at most',
  between: 'is between',
  exists: 'is known',
};

function describeRule({ on, property, op = 'exists', value, disqualify }: RawRule): string {
  const wanted = value === undefined || value === null ? '' : ` ${[value].flat().join(', ')}`;
  const text = `${String(property)}${on === 'company' ? ' of the company' : ''} ${OPERATOR_WORDS[String(op)] ?? String(op)}${wanted}`;
  return (disqualify === true ? `never: ${text}` : text).slice(0, 300);
}
