import { parseFocus } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';

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
