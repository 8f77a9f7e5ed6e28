/** How a supporting statement came to be known. A trust row sets one of these. */
export type EvidenceClass = 'asserted' | 'observed' | 'reported' | 'inferred';

/** Trust in one kind of source. */
export interface TrustRow {
  /** `source/method`; `*` matches any. A source or method also matches by its part before the first ':'. */
  match: string;
  /** Reliability, 0..1: the probability that such a statement is true on the day it is made. */
  r: number;
  class: EvidenceClass;
  /** Whether such statements are our own guesses: they can support a value, but never oppose what somebody stated. */
  isTentative?: boolean;
}

/** How values of a property are normalised before the general rules for text, numbers and objects. */
export type Normaliser = 'email' | 'domain' | 'phone';

/** How a property behaves over time. */
export interface PropertyRule {
  /** Days after which half of such facts have changed; Infinity for facts that do not age. */
  halfLife: number;
  cardinality: 'single' | 'many';
  /** The newest statement wins regardless of its source, and nothing opposes it (a stage, an owner). */
  latestWins?: boolean;
  normaliser?: Normaliser;
  /** Marks an opt-out (do not contact): anyone can set it, and only this `source/method` can clear it. */
  clearableBy?: string;
}

/** Minimum freshness score of each grade; anything lower is expired. */
export interface FreshnessGrades {
  fresh: number;
  aging: number;
  suspect: number;
}

/** The rules that turn a log of statements into claims. They are data with a version, which every claim carries. */
export interface ClaimRules {
  version: string;
  trust: readonly TrustRow[];
  /** Trust in a source and method without a row. */
  unknownTrust: Omit<TrustRow, 'match'>;
  properties: Readonly<Record<string, PropertyRule>>;
  unknownProperty: PropertyRule;
  /** A challenger replaces a value if it has at least this share of the value's strength. */
  takeoverShare: number;
  /**
   * Same share if every challenging source began to state its value before the current one began. A repeat of what was
   * outvoted is no news and has to clearly outweigh the current value.
   */
  repeatTakeoverShare: number;
  /** `source/method` of a correction by a person. It is news each time it is made, because nobody corrects by habit. */
  correctedBy: string;
  /** Share of its weight by which an opposing statement reduces the confidence. */
  opposingWeight: number;
  /**
   * Share of its weight that an outvoted opposing source keeps: one that began to state its value before the current
   * one began, and is less reliable than the strongest supporter.
   */
  outvotedWeight: number;
  /** Opposition decays with this share of the property's half-life: "changed since" is no disagreement now. */
  opposingHalfLife: number;
  /** A claim is contested if its opposition has at least this share of its strength. */
  contestedShare: number;
  /** Maximum confidence of a claim. */
  ceiling: number;
  freshness: FreshnessGrades;
}

/** Returns the rule of a property; without a rule of its own it is single-valued with the default half-life. */
export function ruleOf(rules: ClaimRules, property: string): PropertyRule {
  const rule = Object.hasOwn(rules.properties, property) ? rules.properties[property] : undefined;
  return rule ?? rules.unknownProperty;
}
