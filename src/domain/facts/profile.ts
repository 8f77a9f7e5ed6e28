import { parsePhoneCountry, type PhoneCountry, parseFocus } from '../identity/focus.js';
import type { JsonValue } from '../observation/observation.js';

/** Maximum number of own domains of a workspace. */
export const MAX_OWN_DOMAINS = 50;

const MAX_NAME_LENGTH = 200;

/** The profile of the workspace; further fields are kept as they are. */
export type Profile = {
  name?: string;
  domains?: string[];
  default_country?: string;
  [field: string]: JsonValue | undefined;
};

/** A problem of one field of a profile. */
export interface ProfileProblem {
  readonly field: string;
  readonly message: string;
}

/** A profile with canonical domains without duplicates, or all its problems. */
export type ProfileResult =
  | { readonly ok: true; readonly profile: JsonValue }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

/** Parses the content of the section `profile`: `{name, domains: [...], default_country}`. */
export function parseProfile(content: JsonValue): ProfileResult {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    const message = 'The profile is an object such as {"name": "Acme", "domains": ["acme.com"]}.';
    return { ok: false, problems: [{ field: 'content', message }] };
  }
  const { name, domains, default_country: country = null } = content;
  const problems: ProfileProblem[] = [];
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_LENGTH)) {
    problems.push({ field: 'content.name', message: `name must be a text of 1 to ${MAX_NAME_LENGTH} characters.` });
  }
  const read = domains === undefined ? [] : parseDomains(domains, problems);
  const code = typeof country === 'string' ? parsePhoneCountry(country) : undefined;
  if (country !== null && code === undefined) {
    const message = 'default_country must be an ISO 3166-1 code of two letters, such as "DE", or null.';
    problems.push({ field: 'content.default_country', message });
  }
  if (problems.length > 0) return { ok: false, problems };
  const profile = { ...content, ...(code && { default_country: code }) };
  return { ok: true, profile: domains === undefined ? profile : { ...profile, domains: [...new Set(read)] } };
}

/** Returns the country of phone numbers without a country code, from a stored profile. */
export function readDefaultCountry(content: JsonValue | undefined): PhoneCountry | undefined {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return undefined;
  const { default_country: country } = content;
  return typeof country === 'string' ? parsePhoneCountry(country) : undefined;
}

/** Returns the own domains of a stored profile. */
export function listOwnDomains(content: JsonValue | undefined): ReadonlySet<string> {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return new Set();
  const { domains } = content;
  return new Set(Array.isArray(domains) ? domains.filter(domain => typeof domain === 'string') : []);
}

function parseDomains(domains: JsonValue, problems: ProfileProblem[]): string[] {
  if (!Array.isArray(domains) || domains.length > MAX_OWN_DOMAINS) {
    problems.push({
      field: 'content.domains',
      message: `domains must be a list of at most ${MAX_OWN_DOMAINS} domains.`,
    });
    return [];
  }
  return domains.flatMap((domain, i) => {
    const focus = typeof domain === 'string' ? parseFocus(domain) : undefined;
    if (focus?.form === 'domain') return [focus.key];
    problems.push({ field: `content.domains[${i}]`, message: 'is no domain of a company; write it like "acme.com".' });
    return [];
  });
}

/** Kinds of products that a workspace can sell. */
export const BUSINESS_TYPES = ['service', 'software'] as const;

/** Pricing models. */
export const PLAN_MODELS = ['free_plan', 'free_trial', 'both', 'paid_only'] as const;

/** Changes to the workspace profile; absent fields stay as they are. */
export interface ProfileInput {
  readonly name?: string | undefined;
  /** URL or domain. */
  readonly website?: string | undefined;
  readonly business_type?: string | undefined;
  readonly plan_model?: string | undefined;
  /** Stage assigned to people who sign up. */
  readonly default_signup_stage?: string | undefined;
}

const FIELDS = ['name', 'website', 'business_type', 'plan_model', 'default_signup_stage'] as const;

/** Fields of a profile; null if not set. */
export type ProfileFields = Readonly<Record<(typeof FIELDS)[number], string | null>>;

/** Returns the fields of a stored profile. */
export function toProfileFields(content: JsonValue | undefined): ProfileFields {
  const fields = toObject(content);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  return Object.fromEntries(FIELDS.map(name => [name, text(name)])) as ProfileFields;
}

/** Returns the fields that an input sets; empty if it sets none. */
export function changedFields(input: ProfileInput): Record<string, string> {
  return Object.fromEntries(FIELDS.flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]])));
}

/** Returns the canonical domain of a website, or undefined. */
export function parseWebsiteDomain(website: string): string | undefined {
  const focus = parseFocus(website);
  return focus.form === 'domain' ? focus.key : undefined;
}

/**
 * Merges an input into a profile. The domain of the website is added to the workspace's own domains, which are never
 * prospects.
 */
export function mergeProfile(before: JsonValue | undefined, input: ProfileInput): Record<string, JsonValue> {
  const known = toObject(before);
  const domain = input.website === undefined ? undefined : parseWebsiteDomain(input.website);
  const domains = Array.isArray(known['domains']) ? known['domains'] : [];
  const own = domain === undefined || domains.includes(domain) ? domains : [...domains, domain];
  return { ...known, ...changedFields(input), ...(own.length > 0 && { domains: own }) };
}

function toObject(content: JsonValue | undefined): Record<string, JsonValue> {
  return typeof content === 'object' && content !== null && !Array.isArray(content) ? content : {};
}
