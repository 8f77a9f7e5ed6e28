import type { JsonValue } from '../observation/observation.js';
import { canonicalAttribute } from './evidence.js';
import { type ScoreScale, DEFAULT_SCALE } from './bands.js';

/** Description of the expected type, and a check for it. */
export interface AttributeType {
  readonly expected: string;
  readonly accepts: (value: JsonValue) => boolean;
}

const isText = (value: JsonValue) => typeof value === 'string';
const textType: AttributeType = {
  expected: 'a text, or a list of texts',
  accepts: value => typeof value === 'string' || (Array.isArray(value) && value.every(isText)),
};
const numberType: AttributeType = {
  expected: 'a number, or a text such as "51-200"',
  accepts: value => typeof value === 'number' || typeof value === 'string',
};
const booleanType: AttributeType = { expected: 'true or false', accepts: value => typeof value === 'boolean' };

/** By canonical name. Any other attribute is a custom property with arbitrary values. */
const attributeTypes = new Map<string, AttributeType>([
  ...[
    'identifier focus email linkedin_url domain company_domain website name first_name last_name title company headline',
    'keywords seniority department industry location city country region stage status role company_type email_status',
    'technologies competitors pain_points tags products languages intent',
  ].flatMap(line => line.split(' ').map(name => [name, textType] as const)),
  ['headcount', numberType],
  ['phone', { expected: 'a text or a number', accepts: numberType.accepts }],
  ['unsubscribed', booleanType],
  ['do_not_contact', booleanType],
]);

/** Returns the expected type of an attribute; undefined if it accepts anything. */
export function findAttributeType(name: string): AttributeType | undefined {
  return attributeTypes.get(name) ?? attributeTypes.get(canonicalAttribute(name));
}

/** Layers of a lead score. */
export const LAYERS = ['fit', 'pain', 'intent', 'ability'] as const;

/** One of {@link LAYERS}. */
export type LayerName = (typeof LAYERS)[number];

/** Comparison operators of rules. */
export const RULE_OPERATORS = [
  'eq',
  'in',
  'not_in',
  'contains_any',
  'matches',
  'gte',
  'lte',
  'between',
  'exists',
  'scorecard',
] as const;

/** One of {@link RULE_OPERATORS}. */
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** Entity whose property a rule reads. */
export type RuleSubject = 'person' | 'company';

/** A comparison of one property. */
export interface RuleCondition {
  readonly on: RuleSubject;
  /** Canonical name. */
  readonly property: string;
  readonly op: RuleOperator;
  /** Operand of `op`; for `between` `[least, most]`, for `exists` null, for `scorecard` a {@link Scorecard}. */
  readonly value: JsonValue;
  /** For `gte`, `lte` and `between`: distance outside the range within which the match falls linearly to zero. */
  readonly slack: number;
  /** The same below the range, where it differs. */
  readonly slackBelow?: number;
}

/** A rule about one property, or about several that must match together. */
export interface ScoreRule extends RuleCondition {
  readonly id: string;
  /** Points of a full match relative to the other rules of the layer; negative values subtract. */
  readonly weight: number;
  /** Whether a full match disqualifies the lead. */
  readonly disqualify: boolean;
  /** Conditions that must match too: the weakest match counts. */
  readonly and: readonly RuleCondition[];
}

/** A group of values, and its share of the points of a rule. */
export interface ScorecardBin {
  readonly op: RuleOperator;
  readonly value: JsonValue;
  /** 0..1 */
  readonly share: number;
  /** How often won and lost customers have such a value. */
  readonly evidence?: string;
}

/**
 * Operand of `scorecard`: the first bin that holds gives the share. A value of no bin, and an unknown value, count as the
 * average customer.
 */
export interface Scorecard {
  readonly bins: readonly ScorecardBin[];
  /** Share of the average customer, 0..1. */
  readonly average: number;
}

/** A built-in rule that cannot be expressed as a comparison of one property. */
export interface BuiltInRule {
  readonly id: string;
  readonly builtIn: 'seniority' | 'budget' | 'timeline' | 'channel';
  readonly weight: number;
}

/** A hint at a pain: a property, keywords, or a technology in use. */
export interface PainRule {
  readonly id: string;
  readonly match: { readonly property: string } | { readonly keyword: string[] } | { readonly technology: string[] };
  /** Probability of the pain given the hint, 0..0.99. */
  readonly p: number;
  readonly halfLifeDays: number;
}

/** Weight and half-life of an intent signal. */
export interface IntentSignal {
  readonly weight: number;
  readonly halfLifeDays: number;
  /** Maximum total of all signals of this type. */
  readonly cap?: number;
  /** Restricts the signal to events whose details contain this text. */
  readonly contains?: string;
}

/** Intent signals: events by type without `interaction.`, states by property and value. */
export interface IntentModel {
  readonly events: Readonly<Record<string, IntentSignal>>;
  readonly states: Readonly<Record<string, Readonly<Record<string, IntentSignal>>>>;
}

/** The model of a workspace's ideal customer, validated and complete. */
export interface IcpModel {
  readonly id: string;
  readonly version: number;
  /** Weights of the layers; they add up to 1. */
  readonly weights: Readonly<Record<LayerName, number>>;
  readonly fit: readonly ScoreRule[];
  readonly pain: readonly PainRule[];
  readonly intent: IntentModel;
  readonly ability: readonly (ScoreRule | BuiltInRule)[];
  /** Domains that are never prospects, such as competitors'. */
  readonly suppress: ReadonlySet<string>;
  /** Names of scores. */
  readonly scale: ScoreScale;
}

/** Formats the ID of a model for responses and the log: `id@version`. */
export function formatModelId({ id, version }: IcpModel): string {
  return `${id}@${version}`;
}

/** Default weights of the layers. */
export const DEFAULT_WEIGHTS = { fit: 0.35, pain: 0.2, intent: 0.3, ability: 0.15 } as const;

/** Default half-life of an intent signal, in days. */
export const DEFAULT_HALF_LIFE_DAYS = 30;

/** Default intent signals. Opened mail has weight 0, because mail programs open it automatically. */
export const DEFAULT_INTENT: IntentModel = {
  events: {
    meeting_held: { weight: 35, halfLifeDays: 30 },
    meeting_scheduled: { weight: 30, halfLifeDays: 21 },
    email_replied: { weight: 20, halfLifeDays: 14 },
    linkedin_replied: { weight: 20, halfLifeDays: 14 },
    form_submitted: { weight: 20, halfLifeDays: 14 },
    page_visited: { weight: 10, halfLifeDays: 7, contains: 'pricing' },
    connection_accepted: { weight: 8, halfLifeDays: 30 },
    email_clicked: { weight: 4, halfLifeDays: 7 },
    email_opened: { weight: 0, halfLifeDays: 7 },
    meeting_cancelled: { weight: -10, halfLifeDays: 14 },
  },
  states: { intent: { evaluating: { weight: 20, halfLifeDays: 30 } } },
};

/** Default hints at a pain. */
export const DEFAULT_PAIN: readonly PainRule[] = [
  { id: 'pain', match: { property: 'pain' }, p: 0.6, halfLifeDays: 180 },
  { id: 'pain_points', match: { property: 'pain_points' }, p: 0.6, halfLifeDays: 180 },
  { id: 'signal_friction', match: { property: 'signal.friction' }, p: 0.5, halfLifeDays: 90 },
];

/** Default rules of Ability: seniority, budget, timeline and reachability. */
export const DEFAULT_ABILITY: readonly BuiltInRule[] = [
  { id: 'seniority', builtIn: 'seniority', weight: 3 },
  { id: 'budget', builtIn: 'budget', weight: 3 },
  { id: 'timeline', builtIn: 'timeline', weight: 2 },
  { id: 'channel', builtIn: 'channel', weight: 2 },
];

/** Model of a workspace without an ideal customer profile; Fit is unknown. */
export const EMPTY_MODEL: IcpModel = {
  id: 'none',
  version: 0,
  weights: DEFAULT_WEIGHTS,
  fit: [],
  pain: DEFAULT_PAIN,
  intent: DEFAULT_INTENT,
  ability: DEFAULT_ABILITY,
  suppress: new Set(),
  scale: DEFAULT_SCALE,
};
