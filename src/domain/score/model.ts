import type { JsonValue } from '#domain/observation/observation.js';
import type { ScoreScale } from './bands.js';

/** The four questions that are asked of a lead. */
export const LAYERS = ['fit', 'pain', 'intent', 'ability'] as const;

/** One of {@link LAYERS}. */
export type LayerName = (typeof LAYERS)[number];

/** How a rule compares what is known with what it wants. */
export const RULE_OPERATORS = ['eq', 'in', 'contains_any', 'matches', 'gte', 'lte', 'between', 'exists'] as const;

/** One of {@link RULE_OPERATORS}. */
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** Whose property a rule looks at. */
export type RuleSubject = 'person' | 'company';

/** A rule about one property. */
export interface ScoreRule {
  readonly id: string;
  readonly on: RuleSubject;
  /** Canonical name. */
  readonly property: string;
  readonly op: RuleOperator;
  /** What `op` compares with; of `between` `[least, most]`, of `exists` null. */
  readonly value: JsonValue;
  /** Points that a full match is worth beside the others of the layer; below zero it takes points away. */
  readonly weight: number;
  /** A full match rules the lead out. */
  readonly disqualify: boolean;
  /** Of `between`: how far outside a value still earns something, falling in a line to nothing. */
  readonly slack: number;
}

/** A rule that the product brings along, because no comparison of one property says it. */
export interface BuiltInRule {
  readonly id: string;
  readonly builtIn: 'seniority' | 'budget' | 'timeline' | 'channel';
  readonly weight: number;
}

/** What hints at a pain: a property that is there, words in what is said of the lead, a technology in use. */
export interface PainRule {
  readonly id: string;
  readonly match: { readonly property: string } | { readonly keyword: string[] } | { readonly technology: string[] };
  /** How likely the pain is when the hint is there, 0..0.99. */
  readonly p: number;
  readonly halfLifeDays: number;
}

/** What a sign of interest is worth, and how fast that fades. */
export interface IntentSignal {
  readonly weight: number;
  readonly halfLifeDays: number;
  /** Most that all signs of this type count together. */
  readonly cap?: number;
  /** Only events whose details contain this text count. */
  readonly contains?: string;
}

/** Which signs of interest count, events by type without `interaction.`, states by property and then by value. */
export interface IntentModel {
  readonly events: Readonly<Record<string, IntentSignal>>;
  readonly states: Readonly<Record<string, Readonly<Record<string, IntentSignal>>>>;
}

/** What a workspace looks for: the model of its ideal customer, checked and complete. */
export interface IcpModel {
  readonly id: string;
  readonly version: number;
  /** How much each layer counts; they add up to 1. */
  readonly weights: Readonly<Record<LayerName, number>>;
  readonly fit: readonly ScoreRule[];
  readonly pain: readonly PainRule[];
  readonly intent: IntentModel;
  readonly ability: readonly (ScoreRule | BuiltInRule)[];
  /** Domains that are never prospects, such as competitors'. */
  readonly suppress: ReadonlySet<string>;
  /** What scores are called. */
  readonly scale: ScoreScale;
}

/** How a model is named in answers and in the log: `id@version`. */
export function formatModelId({ id, version }: IcpModel): string {
  return `${id}@${version}`;
}
