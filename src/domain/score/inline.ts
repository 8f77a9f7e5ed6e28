import { type Identifier, identifierOf } from '#domain/identity/focus.js';
import type { Json } from '#domain/observation/observation.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Evidence, KnownFact } from './evidence.js';
import { identifierIn, reachOf } from './standing.js';

/** How sure a fact is that a caller brings along: as sure as what an agent states. */
const CONFIDENCE = 0.75;

/** Attributes that name the lead rather than describe it. */
const NAMING = new Set(['identifier', 'focus', 'email', 'linkedin_url', 'domain', 'company_domain', 'website']);

/** Other names of attributes, beside those of properties. */
const aliases: Readonly<Record<string, string>> = { size: 'headcount', type: 'company_type', keyword: 'keywords' };

/** The canonical property of an attribute. */
export function attributeOf(name: string): string {
  return Object.hasOwn(aliases, name) ? aliases[name]! : canonicalProperty(name);
}

/** Evidence about a lead that is not in the graph: its attributes, as facts of the person and of the company alike. */
export function inlineEvidence(
  attributes: Readonly<Record<string, Json>>,
  own: ReadonlySet<string>,
  now: Instant,
): Evidence {
  const facts = new Map<string, KnownFact>();
  const identifiers: Identifier[] = [];
  for (const [name, given] of Object.entries(attributes)) {
    const property = attributeOf(name);
    const value = valueOf(property, given);
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

/** Undefined for what says nothing. Keywords may be one text, parted by commas. */
function valueOf(property: string, value: Json): Json | undefined {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return undefined;
  if (property !== 'keywords' || typeof value !== 'string') return value;
  const words = value.split(/[,;\n]/).flatMap(word => word.trim() || []);
  return words.length > 0 ? words : undefined;
}
