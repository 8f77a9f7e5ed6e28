import type { JsonValue } from '#domain/observation/observation.js';
import type { ScoreScale } from './bands.js';

/** Layers of a lead score. */
export const LAYERS = ['fit', 'pain', 'intent', 'ability'] as const;

/** One of {@link LAYERS}. */
export type LayerName = (typeof LAYERS)[number];

/** Comparison operators of rules. */
export const RULE_OPERATORS = ['eq', 'in', 'contains_any', 'matches', 'gte', 'lte', 'between', 'exists'] as const;

/** One of {@link RULE_OPERATORS}. */
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** Entity whose property a rule reads. */
export type RuleSubject = 'person' | 'company';

/** A rule about one property. */
export interface ScoreRule {
  readonly id: string;
  readonly on: RuleSubject;
  /** Canonical name. */
  readonly property: string;
  readonly op: RuleOperator;
  /** Operand of `op`; for `between` `[least, most]`, for `exists` null. */
  readonly value: JsonValue;
  /** Points of a full match relative to the other rules of the layer; negative values subtract. */
  readonly weight: number;
  /** Whether a full match disqualifies the lead. */
  readonly disqualify: boolean;
  /** For `between`: distance outside the range within which the match falls linearly to zero. */
  readonly slack: number;
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
