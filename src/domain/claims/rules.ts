/** How a supporting statement came to be known; the grades a trust row can give. */
export type EvidenceClass = 'asserted' | 'observed' | 'reported' | 'inferred';

/** How far one kind of source is trusted. */
export interface TrustRow {
  /** `source/method`; `*` stands for any. A source or method also matches by what precedes its first ':'. */
  match: string;
  /** Reliability, 0..1: the chance that such a statement is true on the day it is made. */
  r: number;
  class: EvidenceClass;
  /** A guess of ours that gives way: it supports and stands alone, but never opposes what somebody said. */
  yields?: boolean;
}

/** How values of a property are made comparable before the general rules for text, numbers and objects. */
export type Normaliser = 'email' | 'domain' | 'phone';

/** How a property behaves over time. */
export interface PropertyRule {
  /** Days after which half of such facts have changed; Infinity for facts that do not age. */
  halfLife: number;
  cardinality: 'single' | 'many';
  /** The newest statement stands, whoever made it, and nothing opposes it (a stage, an owner). */
  latestWins?: boolean;
  normaliser?: Normaliser;
  /** A wish (not to be contacted): whoever states it is believed, and only this `source/method` changes it again. */
  clearableBy?: string;
}

/** Least freshness of each grade; anything lower is expired. */
export interface FreshnessGrades {
  fresh: number;
  aging: number;
  suspect: number;
}

/** Everything that turns a log of statements into claims. Data with a version, which every claim carries. */
export interface ClaimRules {
  version: string;
  trust: readonly TrustRow[];
  /** What a source and method without a row count as. */
  unknownTrust: Omit<TrustRow, 'match'>;
  properties: Readonly<Record<string, PropertyRule>>;
  unknownProperty: PropertyRule;
  /** A challenger displaces a value when it has at least this share of the strength behind it. */
  takeoverShare: number;
  /**
   * The same share where every challenging source began to state its value before the current one began: a repeat of
   * what was outvoted is no news, and wins only by clearly outweighing the current value.
   */
  repeatTakeoverShare: number;
  /** `source/method` of a correction by a person, which is news each time it is made: nobody corrects by habit. */
  correctedBy: string;
  /** How much a full-strength opposing statement takes off the confidence. */
  opposingWeight: number;
  /**
   * The part of its weight that an opposing source keeps once it was outvoted: it began to state its value before the
   * current one began, and is less reliable than the strongest supporter.
   */
  outvotedWeight: number;
  /** Opposition fades with this share of the property's half-life: "changed since" is no disagreement now. */
  opposingHalfLife: number;
  /** A claim is contested when its opposition has at least this share of its strength. */
  contestedShare: number;
  /** No claim is surer than this. */
  ceiling: number;
  freshness: FreshnessGrades;
}

/** The rule of a property; one that the table does not know is single-valued with the usual half-life. */
export function ruleOf(rules: ClaimRules, property: string): PropertyRule {
  const rule = Object.hasOwn(rules.properties, property) ? rules.properties[property] : undefined;
  return rule ?? rules.unknownProperty;
}
