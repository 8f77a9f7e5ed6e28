import { type Identifier, toIdentifier } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isPlaceholder } from '#domain/properties/placeholders.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Evidence, KnownFact } from './evidence.js';
import { parseLeadIdentifier, computeReachability } from './reachability.js';

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
