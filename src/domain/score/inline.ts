import { type Identifier, identifierOf } from '#domain/identity/focus.js';
import type { Json } from '#domain/observation/observation.js';
import { isPlaceholder } from '#domain/properties/placeholders.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Evidence, KnownFact } from './evidence.js';
import { identifierIn, reachOf } from './standing.js';

/** How sure a fact is that a caller brings along: as sure as what an agent states. */
const CONFIDENCE = 0.75;

/** Attributes that name the lead rather than describe it. */
const NAMING = new Set(['identifier', 'focus', 'email', 'linkedin_url', 'domain', 'company_domain', 'website']);

/** Properties that say how to reach a lead, or not to. */
const REACHING = new Set(['email_status', 'phone', 'unsubscribed', 'do_not_contact']);

/** Other names of attributes, beside those of properties. */
const aliases: Readonly<Record<string, string>> = { size: 'headcount', type: 'company_type', keyword: 'keywords' };

/**
 * What a caller says of a lead, by name; undefined and null, placeholders such as `N/A`, and
 * empty texts and lists say nothing. */
export type Attributes = Readonly<Record<string, Json | undefined>>;

/** The canonical property of an attribute. */
export function attributeOf(name: string): string {
  return Object.hasOwn(aliases, name) ? aliases[name]! : canonicalProperty(name);
}

/** Whether an attribute says who a lead is or how to reach it. @param property that it means. */
export function saysHowToReach(name: string, property: string): boolean {
  return NAMING.has(name) || REACHING.has(property);
}

/** Evidence about a lead that is not in the graph: its attributes, as facts of the person and of the company alike. */
export function inlineEvidence(attributes: Attributes, own: ReadonlySet<string>, now: Instant): Evidence {
  const facts = new Map<string, KnownFact>();
  const identifiers: Identifier[] = [];
  for (const name of Object.keys(attributes)) {
    const property = attributeOf(name);
    const value = valueOf(property, attributes[name]);
    if (value === undefined) continue;
    if (NAMING.has(name)) identifiers.push(...named(value));
    facts.set(property, { value, confidence: CONFIDENCE, at: now, ref: null });
  }
  return { person: facts, company: facts, events: [], inline: true, ...reachOf(identifiers, facts, own) };
}

function named(value: Json): Identifier[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap(text => {
    const focus = typeof text === 'string' ? identifierIn(text) : undefined;
    return focus ? [identifierOf(focus)] : [];
  });
}

/** What an attribute says; undefined for nothing. Keywords may be one text, parted by commas. */
export function valueOf(property: string, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  if (isPlaceholder(property, value)) return undefined;
  if (property !== 'keywords' || typeof value !== 'string') return value;
  const words = value.split(/[,;\n]/).flatMap(word => word.trim() || []);
  return words.length > 0 ? words : undefined;
}
