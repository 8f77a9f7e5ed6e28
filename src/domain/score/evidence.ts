import { type JsonValue, isPlaceholder } from '../observation/observation.js';
import type { Instant } from '../time/instant.js';
import { type EpistemicClass, computeFreshness } from '../claims/confidence.js';
import { type ClaimRules, ruleOf } from '../claims/rules.js';
import { EMPLOYER_PROPERTY, isFromEarlierTenure, type TenureProjection } from '../claims/doubt.js';
import { type Identifier, toIdentifier } from '../identity/focus.js';
import { canonicalProperty } from '../properties/registry.js';
import { parseLeadIdentifier, computeReachability } from './reachability.js';

/** Why a fact that a rule needs cannot be used. */
export type MissingReason = 'absent' | 'expired' | 'contested' | 'low_confidence';

/** A known fact of a lead or its company. */
export interface KnownFact {
  readonly value: JsonValue;
  /** 0..0.99. */
  readonly confidence: number;
  /** Undefined if the fact can be used. */
  readonly missingReason?: MissingReason;
  /** Time of the last support. */
  readonly at: Instant;
  /** ID of the strongest supporting observation; null for attributes sent by the caller. */
  readonly ref: string | null;
  /** Decides whether the fact belongs to an earlier job. */
  readonly tenure?: TenureProjection;
}

/** An event of a lead. */
export interface KnownEvent {
  /** Canonical type without `interaction.`. */
  readonly type: string;
  readonly at: Instant;
  /** ID of the observation. */
  readonly ref: string;
}

/** Conditions that rule a lead out regardless of its scores. */
export type HardFlag =
  | 'unsubscribed'
  | 'do_not_contact'
  | 'disqualified'
  | 'no_live_channel'
  | 'own_domain'
  | 'suppressed';

/** Facts by canonical property. */
export type FactMap = ReadonlyMap<string, KnownFact>;

/** Everything known of a lead at one time. */
export interface Evidence {
  readonly person: FactMap;
  readonly company: FactMap;
  readonly events: readonly KnownEvent[];
  /** Whether the lead is identified by an address, a profile or a domain, so that it can be looked up. */
  readonly precise: boolean;
  /** Whether the lead can be reached: by a mailbox that did not bounce, a profile or a phone. */
  readonly reachable: boolean;
  /** Whether the facts were sent by the caller instead of read from the graph. Past activity is then unknown. */
  readonly inline: boolean;
  /** Registrable domains (ASCII) of the lead. */
  readonly domains: readonly string[];
  readonly flags: readonly HardFlag[];
}

/** Minimum confidence of a usable claim. */
export const MIN_CONFIDENCE = 0.3;

/**
 * Returns the fact that a rule reads: of the person, or of the company, whose properties are often recorded on the
 * person.
 */
export function findFact(evidence: Evidence, on: 'person' | 'company', property: string): KnownFact | undefined {
  if (on === 'person' || evidence.company === evidence.person) return evidence.person.get(property);
  const ofCompany = evidence.company.get(property);
  if (ofCompany && ofCompany.missingReason === undefined) return ofCompany;
  const withPerson = evidence.person.get(property);
  return withPerson && withPerson.missingReason === undefined ? withPerson : (ofCompany ?? withPerson);
}

/** The parts of a claim that decide whether it can be used. */
export interface ClaimSnapshot {
  readonly property: string;
  /** Null if the fact has ended. */
  readonly value: JsonValue;
  readonly confidence: number;
  readonly epistemicClass: EpistemicClass;
  readonly supportedAt: Instant;
  readonly ref: string | null;
  readonly tenure: TenureProjection;
}

/**
 * Converts a claim to evidence at one time. It can be used unless it has ended, is a placeholder, has expired or has a
 * confidence below 0.30.
 */
export function toKnownFact(rules: ClaimRules, claim: ClaimSnapshot, asOf: Instant): KnownFact {
  const { value, confidence, supportedAt: at, ref, tenure } = claim;
  const missingReason = findMissingReason(rules, claim, asOf);
  return { value, confidence, at, ref, ...(tenure && { tenure }), ...(missingReason && { missingReason }) };
}

/** Returns the facts of a person, of which those of an earlier job have expired. */
export function expireEarlierTenure(facts: FactMap): FactMap {
  const employer = facts.get(EMPLOYER_PROPERTY)?.tenure;
  if (!employer) return facts;
  const expire = (fact: KnownFact): KnownFact =>
    fact.missingReason === undefined && isFromEarlierTenure(employer, fact.tenure)
      ? { ...fact, missingReason: 'expired' }
      : fact;
  return new Map([...facts].map(([property, fact]) => [property, expire(fact)]));
}

function findMissingReason(rules: ClaimRules, claim: ClaimSnapshot, asOf: Instant): MissingReason | undefined {
  const { property, value, confidence, epistemicClass, supportedAt } = claim;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'absent';
  if (isPlaceholder(property, value)) return 'absent';
  const { halfLife } = ruleOf(rules, property);
  if (computeFreshness(rules.freshness, halfLife, supportedAt, asOf).freshness === 'expired') return 'expired';
  if (confidence >= MIN_CONFIDENCE) return undefined;
  return epistemicClass === 'contested' ? 'contested' : 'low_confidence';
}

/** Confidence of facts sent by the caller: that of statements by an agent. */
const INLINE_CONFIDENCE = 0.75;

/** Attributes that identify the lead instead of describing it. */
const IDENTIFYING_ATTRIBUTES = new Set([
  'identifier',
  'focus',
  'email',
  'linkedin_url',
  'domain',
  'company_domain',
  'website',
]);

/** Properties about how to reach a lead, or not to. */
const CONTACT_PROPERTIES = new Set(['email_status', 'phone', 'unsubscribed', 'do_not_contact']);

/** Aliases of attributes besides those of properties. */
const aliases: Readonly<Record<string, string>> = { size: 'headcount', type: 'company_type', keyword: 'keywords' };

/**
 * Attributes of a lead as sent by the caller, by name. Undefined, null, placeholders such as `N/A`, and empty texts and
 * lists are ignored.
 */
export type InlineAttributes = Readonly<Record<string, JsonValue | undefined>>;

/** Returns the canonical property of an attribute. */
export function canonicalAttribute(name: string): string {
  return Object.hasOwn(aliases, name) ? aliases[name]! : canonicalProperty(name);
}

/**
 * Returns whether an attribute identifies a lead or says how to reach it.
 * @param property canonical property of the attribute.
 */
export function hasContactDetails(name: string, property: string): boolean {
  return IDENTIFYING_ATTRIBUTES.has(name) || CONTACT_PROPERTIES.has(property);
}

/**
 * Builds evidence about a lead that is not in the graph. Its attributes count as facts of both the person and the
 * company.
 */
export function buildInlineEvidence(attributes: InlineAttributes, own: ReadonlySet<string>, now: Instant): Evidence {
  const facts = new Map<string, KnownFact>();
  const identifiers: Identifier[] = [];
  for (const name of Object.keys(attributes)) {
    const property = canonicalAttribute(name);
    const value = normalizeAttribute(property, attributes[name]);
    if (value === undefined) continue;
    if (IDENTIFYING_ATTRIBUTES.has(name)) identifiers.push(...parseIdentifiers(value));
    facts.set(property, { value, confidence: INLINE_CONFIDENCE, at: now, ref: null });
  }
  return { person: facts, company: facts, events: [], inline: true, ...computeReachability(identifiers, facts, own) };
}

function parseIdentifiers(value: JsonValue): Identifier[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap(text => {
    const focus = typeof text === 'string' ? parseLeadIdentifier(text) : undefined;
    return focus ? [toIdentifier(focus)] : [];
  });
}

/** Normalizes the value of an attribute; undefined if it is empty. Keywords may be one comma-separated text. */
export function normalizeAttribute(property: string, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  if (isPlaceholder(property, value)) return undefined;
  if (property !== 'keywords' || typeof value !== 'string') return value;
  const words = value.split(/[,;\n]/).flatMap(word => word.trim() || []);
  return words.length > 0 ? words : undefined;
}
