import type { ClaimRules, PropertyRule, TrustRow } from './rules.js';

const NEVER = Infinity;

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
  do_not_contact: { ...singleRule(NEVER), clearableBy: 'user/correction' },
  unsubscribed: { ...singleRule(NEVER), clearableBy: 'user/correction' },
  phone: { ...singleRule(2400), normaliser: 'phone' },
  phones: { ...multiRule(2400), normaliser: 'phone' },
  location: singleRule(1825),
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
  email_status: singleRule(180),
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
  version: 'default@4',
  trust: trustRows,
  unknownTrust: { r: 0.6, class: 'reported' },
  properties,
  unknownProperty: singleRule(365),
  takeoverShare: 0.8,
  repeatTakeoverShare: 1.25,
  correctedBy: 'user/correction',
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
