import { type Identifier, toIdentifier } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isPlaceholder } from '#domain/properties/placeholders.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Evidence, KnownFact } from './evidence.js';
import { parseLeadIdentifier, computeReachability } from './reachability.js';

/** How sure a fact is that a caller brings along: as sure as what an agent states. */
const INLINE_CONFIDENCE = 0.75;

/** Attributes that name the lead rather than describe it. */
const IDENTIFYING_ATTRIBUTES = new Set([
  'identifier',
  'focus',
  'email',
  'linkedin_url',
  'domain',
  'company_domain',
  'website',
]);

/** Properties that say how to reach a lead, or not to. */
const CONTACT_PROPERTIES = new Set(['email_status', 'phone', 'unsubscribed', 'do_not_contact']);

/** Other names of attributes, beside those of properties. */
const aliases: Readonly<Record<string, string>> = { size: 'headcount', type: 'company_type', keyword: 'keywords' };

/**
 * What a caller says of a lead, by name; undefined and null, placeholders such as `N/A`, and
 * empty texts and lists say nothing. */
export type InlineAttributes = Readonly<Record<string, JsonValue | undefined>>;

/** The canonical property of an attribute. */
export function canonicalAttribute(name: string): string {
  return Object.hasOwn(aliases, name) ? aliases[name]! : canonicalProperty(name);
}

/** Whether an attribute says who a lead is or how to reach it. @param property that it means. */
export function hasContactDetails(name: string, property: string): boolean {
  return IDENTIFYING_ATTRIBUTES.has(name) || CONTACT_PROPERTIES.has(property);
}

/** Evidence about a lead that is not in the graph: its attributes, as facts of the person and of the company alike. */
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

/** What an attribute says; undefined for nothing. Keywords may be one text, parted by commas. */
export function normalizeAttribute(property: string, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  if (isPlaceholder(property, value)) return undefined;
  if (property !== 'keywords' || typeof value !== 'string') return value;
  const words = value.split(/[,;\n]/).flatMap(word => word.trim() || []);
  return words.length > 0 ? words : undefined;
}
