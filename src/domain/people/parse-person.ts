import { entityTypeOf, type IdentifierFocus, type PhoneCountry } from '../identity/focus.js';
import {
  isPlainObject,
  findPlaceholders,
  isPlaceholder,
  type JsonValue,
  type ObservationDraft,
  type ObservationProblem,
} from '../observation/observation.js';
import { parseObservation } from '../observation/parse-observation.js';
import { canonicalEmailStatus, canonicalProperty } from '../properties/registry.js';
import type { Instant } from '../time/instant.js';
import {
  parseDomains,
  parseRowDomain,
  parseRowPhone,
  EMAIL_FIELDS,
  parseEmails,
  parseExternalIds,
  isBlank,
  isExternalField,
  parseLinkedinProfile,
  type RowProblemReporter,
} from './row-identifiers.js';

/** Source and method with which assertions are recorded. */
export interface ObservationOrigin {
  readonly source: string;
  readonly method: string;
}

/** A parsed row about a person or company: identifiers and asserted facts. */
export interface ParsedPerson {
  /**
   * The most specific first: address, profile, ID of another system; a domain or else a phone number if nothing else
   * identifies the row.
   */
  readonly identifiers: readonly IdentifierFocus[];
  readonly observations: readonly ObservationDraft[];
  /** Source and method of all facts. */
  readonly origin: ObservationOrigin;
  /** Fields that were ignored, such as those that hold a placeholder. */
  readonly warnings: readonly ObservationProblem[];
}

/** Options for parsing a row. */
export interface PersonParseOptions {
  readonly origin: ObservationOrigin;
  readonly now: Instant;
  /** Fields that the caller reads itself. */
  readonly reserved: ReadonlySet<string>;
  /**
   * Whether a placeholder such as `N/A` is a problem of the row, as in a call that asserts facts, or is ignored with a
   * warning, as in forms, tables and syncs, whose senders copy what people left there.
   */
  readonly placeholders: 'refuse' | 'ignore';
  /** Country of phone numbers without a country code. */
  readonly country?: PhoneCountry | undefined;
}

const PROPERTY = /^[a-z][a-z0-9_.-]{0,79}$/;
const MAX_FIELDS = 200;
/** Fields that identify a company; the first domain and the page are facts as well. */
const COMPANY_IDENTIFIERS: readonly string[] = ['domain', 'domains', 'linkedin_url', ...EMAIL_FIELDS];
/** Facts of a person that are always text, by canonical name. */
const TEXT_PROPERTIES = new Set([
  'name',
  'title',
  'company',
  'phone',
  'seniority',
  'department',
  'location',
  'industry',
]);

/**
 * Parses a flat row: identifiers, and every other field that can be a property as an assertion. Null ends a fact; blank
 * text is ignored. Identifiers cannot be retracted: a null one is ignored, except that `email` and `linkedin_url`,
 * which are facts as well, end. `properties` holds assertions whose names would clash with fields. Problems name the
 * field and the fix.
 */
export function parsePerson(
  given: Readonly<Record<string, unknown>>,
  reading: PersonParseOptions,
  problems: ObservationProblem[],
): ParsedPerson {
  const warnings: ObservationProblem[] = [];
  const row = reading.placeholders === 'ignore' ? withoutPlaceholders(given, warnings) : given;
  const report = (field: string, message: string): void => void problems.push({ field, message });
  const emails = parseEmails(row, report);
  const profile = parseLinkedinProfile(row, report);
  const named = [...emails, ...profile, ...parseExternalIds(row, 'person', report)];
  const site = named.length > 0 ? [] : parseRowDomain(row, report);
  const weaker = site.length > 0 ? site : parseRowPhone(row, reading.country);
  const identifiers = named.length > 0 ? named : weaker;
  const asserted = collectAssertions(row, reading.reserved, report);
  if (emails[0]) asserted.set('email', emails[0].value);
  if (profile[0]) asserted.set('linkedin_url', profile[0].value);
  return { identifiers, observations: toObservations(asserted, reading, report), origin: reading.origin, warnings };
}

/**
 * Parses a flat row about a company like {@link parsePerson}: it is identified by `domain`, `domains`, `linkedin_url` (a
 * company page) and the IDs of other systems. Addresses identify people and are ignored with a warning.
 */
export function parseCompanyRow(
  given: Readonly<Record<string, unknown>>,
  reading: PersonParseOptions,
  problems: ObservationProblem[],
): ParsedPerson {
  const warnings: ObservationProblem[] = [];
  const row = reading.placeholders === 'ignore' ? withoutPlaceholders(given, warnings) : given;
  const report = (field: string, message: string): void => void problems.push({ field, message });
  for (const field of EMAIL_FIELDS.filter(each => !isBlank(row[each])))
    warnings.push({ field, message: `${field} identifies a person and was ignored. Record the person instead.` });
  const domains = parseDomains(row, report);
  const page = parseLinkedinProfile(row, report);
  if (page[0] && entityTypeOf(page[0]) !== 'company')
    report('linkedin_url', 'linkedin_url must be a company page, such as https://www.linkedin.com/company/acme.');
  const identifiers = [...domains, ...page, ...parseExternalIds(row, 'company', report)];
  const asserted = collectAssertions(row, new Set([...reading.reserved, ...COMPANY_IDENTIFIERS]), report);
  if (domains[0]) asserted.set('domain', domains[0].value);
  if (page[0]) asserted.set('linkedin_url', page[0].value);
  return { identifiers, observations: toObservations(asserted, reading, report), origin: reading.origin, warnings };
}

function toObservations(
  asserted: ReadonlyMap<string, unknown>,
  { origin, now }: PersonParseOptions,
  report: RowProblemReporter,
): ObservationDraft[] {
  if (asserted.size > MAX_FIELDS) report('properties', `At most ${MAX_FIELDS} facts go in one row.`);
  return [...asserted].slice(0, MAX_FIELDS).flatMap(([property, value]) => {
    const found: ObservationProblem[] = [];
    const read = parseObservation({ kind: 'state', property, value, ...origin }, 0, now, found);
    for (const { field, message } of found) report(field === 'value' ? property : field, message);
    return read && found.length === 0 ? [read] : [];
  });
}

/** Returns a row without the fields, or members of lists, that hold placeholders; each is added to `warnings`. */
function withoutPlaceholders(
  row: Readonly<Record<string, unknown>>,
  warnings: ObservationProblem[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(row)) {
    if (field === 'properties' && isPlainObject(value)) {
      result[field] = withoutPlaceholders(value, warnings);
      continue;
    }
    const property = canonicalProperty(field);
    const found = isBlank(value) ? [] : findPlaceholders(property, value as JsonValue);
    for (const { path, text } of found)
      warnings.push({ field: `${field}${path}`, message: `${JSON.stringify(text)} is a placeholder and was ignored.` });
    if (found.length === 0) result[field] = value;
    else if (Array.isArray(value)) {
      const members = value.filter(member => !isPlaceholder(property, member));
      if (members.length > 0) result[field] = members;
    }
  }
  return result;
}

/** Returns the asserted values by canonical property. */
function collectAssertions(
  row: Readonly<Record<string, unknown>>,
  reserved: ReadonlySet<string>,
  report: (field: string, message: string) => void,
): Map<string, unknown> {
  const { properties = {}, ...flat } = row;
  if (!isPlainObject(properties)) report('properties', 'properties must be an object of facts by property.');
  const stated = Object.entries(flat).filter(([field]) => !reserved.has(field) && !isExternalField(field));
  const asserted = new Map<string, unknown>();
  for (const [field, value] of [...stated, ...Object.entries(isPlainObject(properties) ? properties : {})]) {
    if (isBlank(value) || isAlreadyParsed(field, value)) continue;
    const property = canonicalProperty(field);
    if (TEXT_PROPERTIES.has(property) && value !== null && typeof value !== 'string')
      report(field, `${field} must be a text, or null to end the fact.`);
    else if (PROPERTY.test(field)) asserted.set(property, toCanonicalValue(field, value));
    else
      report(
        field.slice(0, 80),
        `"${field.slice(0, 80)}" can be no property: a-z, then at most 79 of a-z, 0-9, "_", "." and "-".`,
      );
  }
  return asserted;
}

/** Addresses and profiles are already parsed as identifiers; only their end is left to assert. */
function isAlreadyParsed(field: string, value: unknown): boolean {
  if (field === 'email' || field === 'linkedin_url') return value !== null;
  return EMAIL_FIELDS.includes(field);
}

function toCanonicalValue(field: string, value: unknown): unknown {
  const isStatus = canonicalProperty(field) === 'email_status' && typeof value === 'string';
  return isStatus ? canonicalEmailStatus(value) : value;
}
