import type { JsonValue } from '../observation/observation.js';
import { toScorecard } from '../score/match-rule.js';
import { DEFAULT_PAIN, type IcpModel, type ScorecardBin } from '../score/model.js';
import type { RULE_ORIGINS } from '../score/parse-model.js';

/** A rule in the format of the section `icp`, not yet validated. */
export type RawRule = Readonly<Record<string, JsonValue>>;

/** Inputs of a model. */
export interface ModelInputs {
  /** Rules given explicitly. */
  readonly rules: readonly RawRule[];
  readonly described: readonly RawRule[];
  /** Rules learned from customers, with the description as prior knowledge. */
  readonly learned: readonly RawRule[];
  readonly pain: readonly RawRule[];
  readonly description: string | undefined;
}

/** Where a rule comes from. */
export type RuleOrigin = (typeof RULE_ORIGINS)[number];

/** A rule in words, with its weight and where it comes from. */
export interface IcpRuleSummary {
  readonly key: string;
  readonly label: string;
  /** Points relative to the other rules; null for a disqualifying rule. */
  readonly weight: number | null;
  readonly origin: RuleOrigin;
  /** Words of the description; null for rules of another origin. */
  readonly quote: string | null;
}

/**
 * Composes the content of the section `icp`: a model that still has to be validated. Explicit rules go before learned
 * ones, and these before what the description asks for, with which they were learned. All exclusions stay.
 */
export function composeModel({ rules, described, learned, pain, description }: ModelInputs): Record<string, JsonValue> {
  const fit: RawRule[] = rules.map(rule => ({ ...rule, origin: 'rules' }));
  const add = (rule: RawRule, origin: RuleOrigin) => {
    if (!fit.some(other => replaces(other, rule))) fit.push({ ...rule, origin });
  };
  for (const rule of learned) add(rule, 'examples');
  for (const rule of described) add(rule, 'description');
  return {
    id: 'icp',
    ...(description !== undefined && { description }),
    fit: fit.map((rule, i) => ({ ...rule, id: rule['id'] ?? buildRuleId(rule, i) })),
    ...(pain.length > 0 && {
      pain: [...defaultPainRules(), ...pain.map((rule, i) => ({ id: `described_${i + 1}`, ...rule }))],
    }),
  };
}

/** Returns whether an earlier rule makes a later one superfluous: the same exclusion, or a wanted rule that goes before it. */
function replaces(earlier: RawRule, later: RawRule): boolean {
  const excludes = (rule: RawRule) => rule['disqualify'] === true;
  if (earlier['property'] !== later['property'] || excludes(earlier) !== excludes(later)) return false;
  if (excludes(later)) return toExclusionKey(earlier) === toExclusionKey(later);
  const bound = ({ op }: RawRule) => (op === 'gte' || op === 'lte' ? op : 'any');
  if (earlier['op'] === 'scorecard') return true;
  return earlier['origin'] !== 'description' && bound(earlier) === bound(later);
}

function toExclusionKey({ op, value, and = [] }: RawRule): string {
  return JSON.stringify([op, value, and]);
}

/**
 * Describes the rules of Fit in words.
 * @param content the validated content that `model` was parsed from.
 */
export function summarizeRules({ fit }: IcpModel, content: Readonly<Record<string, JsonValue>>): IcpRuleSummary[] {
  const rules = (content['fit'] ?? []) as RawRule[];
  return fit.map(({ id, weight, disqualify }, i) => {
    const { quote, origin = 'rules' } = rules[i]!;
    return {
      key: id,
      label: describeRawRule(rules[i]!),
      weight: disqualify ? null : weight,
      origin: origin as RuleOrigin,
      quote: typeof quote === 'string' ? quote : null,
    };
  });
}

function buildRuleId({ property, disqualify }: RawRule, place: number): string {
  return `${disqualify === true ? 'no_' : ''}${String(property)}_${place + 1}`;
}

function defaultPainRules(): JsonValue[] {
  return DEFAULT_PAIN.map(({ id, match, p, halfLifeDays }) => ({ id, match, p, half_life_days: halfLifeDays }));
}

const MAX_LABEL_LENGTH = 300;

const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  eq: 'is',
  in: 'is one of',
  not_in: 'is none of',
  contains_any: 'has one of',
  matches: 'matches',
  gte: 'is at least',
  lte: 'is at most',
  between: 'is between',
  exists: 'is known',
};

function describeRawRule({ disqualify, and = [], ...first }: RawRule): string {
  const text = [first, ...(and as RawRule[])].map(describeCondition).join(' and ');
  return (disqualify === true ? `never: ${text}` : text).slice(0, MAX_LABEL_LENGTH);
}

function describeCondition({ on, property, op = 'exists', value }: RawRule): string {
  const subject = `${String(property)}${on === 'company' ? ' of the company' : ''}`;
  if (op === 'scorecard') return `${subject}: ${describeBins(value!)}`;
  const wanted = value === undefined || value === null ? '' : ` ${[value].flat().join(', ')}`;
  return `${subject} ${OPERATOR_WORDS[String(op)] ?? String(op)}${wanted}`;
}

/** Describes a scorecard by its bins, the best one first: `software (12 of 20 won customers, 3 of 30 lost ones)`. */
function describeBins(value: JsonValue): string {
  const bins = toScorecard(value).bins.toSorted((one, other) => other.share - one.share);
  return bins.map(bin => `${formatBin(bin)} (${bin.evidence ?? bin.share})`).join(', ');
}

function formatBin({ op, value }: ScorecardBin): string {
  return op === 'lte' ? `up to ${String(value)}` : String([value].flat().join(', '));
}
