import { parseFocus } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';

/** What a workspace sells. */
export const BUSINESS_TYPES = ['service', 'software'] as const;

/** How its customers begin to pay. */
export const PLAN_MODELS = ['free_plan', 'free_trial', 'both', 'paid_only'] as const;

/** What somebody says of the workspace itself; what is absent stays as it is. */
export interface ProfileInput {
  readonly name?: string | undefined;
  /** An address or a domain. */
  readonly website?: string | undefined;
  readonly business_type?: string | undefined;
  readonly plan_model?: string | undefined;
  /** Stage that people enter when they sign up. */
  readonly default_signup_stage?: string | undefined;
}

const FIELDS = ['name', 'website', 'business_type', 'plan_model', 'default_signup_stage'] as const;

/** What a profile says, null for what it leaves out. */
export type ProfileFields = Readonly<Record<(typeof FIELDS)[number], string | null>>;

/** The profile as everybody reads it. */
export function toProfileFields(content: JsonValue | undefined): ProfileFields {
  const fields = toObject(content);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  return Object.fromEntries(FIELDS.map(name => [name, text(name)])) as ProfileFields;
}

/** The fields that a wish sets, without those that it leaves out. Empty when it sets none. */
export function changedFields(input: ProfileInput): Record<string, string> {
  return Object.fromEntries(FIELDS.flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]])));
}

/** The domain of a website, canonical; undefined when the text names none. */
export function parseWebsiteDomain(website: string): string | undefined {
  const focus = parseFocus(website);
  return focus.form === 'domain' ? focus.key : undefined;
}

/** A profile with the wish in it. The domain of its website becomes one of its own, which are never prospects. */
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
