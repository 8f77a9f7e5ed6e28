import type { JsonValue } from '../observation/observation.js';

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
  /** The values that are opt-outs where not every value is one; without them, any value but null and false is. */
  optOutValues?: readonly string[];
  /** Whether each e-mail address of the entity has a value of its own. */
  isPerAddress?: boolean;
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
  /**
   * `source/method` of a correction by a person. It is news each time it is made, because nobody corrects by habit, and it
   * decides: what other sources began to state before it counts as outvoted, also if it confirms the current value.
   */
  correctedBy: string;
  /** Share of its weight by which an opposing statement reduces the confidence. */
  opposingWeight: number;
  /**
   * Share of its weight that an outvoted opposing source keeps: one that began to state its value before the current
   * one began or was confirmed by a correction, and is less reliable than the strongest supporter.
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

/** Returns whether a value is an opt-out, which only {@link PropertyRule.clearableBy} can clear. */
export function isOptOut({ clearableBy, optOutValues }: PropertyRule, value: JsonValue): boolean {
  if (!clearableBy) return false;
  return optOutValues ? optOutValues.some(each => each === value) : value !== null && value !== false;
}

/** Returns the rule of a property; without a rule of its own it is single-valued with the default half-life. */
export function ruleOf(rules: ClaimRules, property: string): PropertyRule {
  const rule = Object.hasOwn(rules.properties, property) ? rules.properties[property] : undefined;
  return rule ?? rules.unknownProperty;
}

const NEVER = Infinity;

/** `source/method` of a correction by a person. */
export const CORRECTED_BY = 'user/correction';

const trustRows: TrustRow[] = [
  { match: 'user/correction', r: 0.98, class: 'asserted' },
  { match: 'user/manual', r: 0.95, class: 'asserted' },
  { match: 'form/*', r: 0.85, class: 'asserted' },
  { match: 'agent/assert', r: 0.8, class: 'asserted' },
  { match: 'agent/*', r: 0.75, class: 'asserted' },
  { match: 'calendar/*', r: 0.9, class: 'observed' },
  // The included Cal.com plugin records under its own source name.
  { match: 'calcom/*', r: 0.9, class: 'observed' },
  { match: 'email/*', r: 0.9, class: 'observed' },
  { match: 'web/*', r: 0.85, class: 'observed' },
  { match: 'product/*', r: 0.85, class: 'observed' },
  { match: 'crm/*', r: 0.85, class: 'reported' },
  { match: 'enrichment/*', r: 0.7, class: 'reported' },
  { match: 'linkedin/*', r: 0.65, class: 'reported' },
  { match: 'csv/*', r: 0.6, class: 'reported' },
  { match: '*/rules', r: 0.55, class: 'inferred' },
  { match: '*/llm', r: 0.5, class: 'inferred' },
  { match: 'system/derived', r: 0.5, class: 'inferred' },
  { match: 'system:email_domain/*', r: 0.5, class: 'inferred', isTentative: true },
];

/**
 * Half-lives in days follow published decay rates: 20 to 30 % of titles and 22.5 % of e-mail addresses change in a
 * year.
 */
const properties: Record<string, PropertyRule> = {
  name: singleRule(NEVER),
  domain: { ...singleRule(NEVER), normaliser: 'domain' },
  linkedin_url: singleRule(NEVER),
  do_not_contact: { ...singleRule(NEVER), clearableBy: CORRECTED_BY },
  unsubscribed: { ...singleRule(NEVER), clearableBy: CORRECTED_BY },
  phone: { ...singleRule(2400), normaliser: 'phone' },
  phones: { ...multiRule(2400), normaliser: 'phone' },
  location: singleRule(1825),
  city: singleRule(1825),
  country: singleRule(1825),
  email: { ...singleRule(990), normaliser: 'email' },
  industry: singleRule(3650),
  headcount: singleRule(730),
  title: singleRule(720),
  company: singleRule(720),
  seniority: singleRule(720),
  funding: singleRule(365),
  technologies: multiRule(540),
  competitors: multiRule(540),
  budget: singleRule(180),
  pain: singleRule(180),
  pain_points: multiRule(180),
  email_status: { ...singleRule(180), clearableBy: CORRECTED_BY, optOutValues: ['unsubscribed'], isPerAddress: true },
  timeline: singleRule(60),
  intent: singleRule(30),
  stage: latestRule(90),
  lead_score: latestRule(30),
  status: latestRule(365),
  play: latestRule(365),
  owner: latestRule(365),
  sequence_step: latestRule(365),
  tags: multiRule(365),
  products: multiRule(365),
  languages: multiRule(365),
};

/** The claim rules of a workspace that has not set its own. */
export const defaultRules: ClaimRules = {
  version: 'default@8',
  trust: trustRows,
  unknownTrust: { r: 0.6, class: 'reported' },
  properties,
  unknownProperty: singleRule(365),
  takeoverShare: 0.8,
  repeatTakeoverShare: 1.25,
  correctedBy: CORRECTED_BY,
  opposingWeight: 0.4,
  outvotedWeight: 0.25,
  opposingHalfLife: 1 / 8,
  contestedShare: 0.6,
  ceiling: 0.99,
  freshness: { fresh: 0.9, aging: 0.75, suspect: 0.5 },
};

function singleRule(halfLife: number): PropertyRule {
  return { halfLife, cardinality: 'single' };
}

function multiRule(halfLife: number): PropertyRule {
  return { halfLife, cardinality: 'many' };
}

function latestRule(halfLife: number): PropertyRule {
  return { halfLife, cardinality: 'single', latestWins: true };
}
