import type { ClaimRules, PropertyRule, TrustRow } from './rules.js';

const NEVER = Infinity;

const trust: TrustRow[] = [
  { match: 'user/correction', r: 0.98, class: 'asserted' },
  { match: 'user/manual', r: 0.95, class: 'asserted' },
  { match: 'form/*', r: 0.85, class: 'asserted' },
  { match: 'agent/assert', r: 0.8, class: 'asserted' },
  { match: 'agent/*', r: 0.75, class: 'asserted' },
  { match: 'calendar/*', r: 0.9, class: 'observed' },
  // The calendar that comes with the hub signs with its own name.
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
  { match: 'system:email_domain/*', r: 0.5, class: 'inferred', yields: true },
];

/** Half-lives in days follow published decay: 20 to 30 % of titles and 22.5 % of e-mail addresses change in a year. */
const properties: Record<string, PropertyRule> = {
  name: single(NEVER),
  domain: { ...single(NEVER), normaliser: 'domain' },
  linkedin_url: single(NEVER),
  do_not_contact: { ...single(NEVER), liftedBy: 'user/correction' },
  unsubscribed: { ...single(NEVER), liftedBy: 'user/correction' },
  phone: { ...single(2400), normaliser: 'phone' },
  phones: { ...many(2400), normaliser: 'phone' },
  location: single(1825),
  email: { ...single(990), normaliser: 'email' },
  industry: single(3650),
  headcount: single(730),
  title: single(720),
  company: single(720),
  seniority: single(720),
  funding: single(365),
  technologies: many(540),
  competitors: many(540),
  budget: single(180),
  pain: single(180),
  pain_points: many(180),
  email_status: single(180),
  timeline: single(60),
  intent: single(30),
  stage: latest(90),
  lead_score: latest(30),
  status: latest(365),
  play: latest(365),
  owner: latest(365),
  sequence_step: latest(365),
  tags: many(365),
  products: many(365),
  languages: many(365),
};

/** The rules of a workspace that has not chosen its own. */
export const defaultRules: ClaimRules = {
  version: 'default@3',
  trust,
  unknownTrust: { r: 0.6, class: 'reported' },
  properties,
  unknownProperty: single(365),
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

function single(halfLife: number): PropertyRule {
  return { halfLife, cardinality: 'single' };
}

function many(halfLife: number): PropertyRule {
  return { halfLife, cardinality: 'many' };
}

function latest(halfLife: number): PropertyRule {
  return { halfLife, cardinality: 'single', latest: true };
}
