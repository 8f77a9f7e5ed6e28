import { parseFocus } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';

/** Maximum number of own domains of a workspace. */
export const MAX_OWN_DOMAINS = 50;

const MAX_NAME_LENGTH = 200;

/** The profile of the workspace; further fields are kept as they are. */
export type Profile = { name?: string; domains?: string[]; [field: string]: JsonValue | undefined };

/** A problem of one field of a profile. */
export interface ProfileProblem {
  readonly field: string;
  readonly message: string;
}

/** A profile with canonical domains without duplicates, or all its problems. */
export type ProfileResult =
  | { readonly ok: true; readonly profile: JsonValue }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

/** Parses the content of the section `profile`: `{name, domains: [...]}`. */
export function parseProfile(content: JsonValue): ProfileResult {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    const message = 'The profile is an object such as {"name": "Acme", "domains": ["acme.com"]}.';
    return { ok: false, problems: [{ field: 'content', message }] };
  }
  const { name, domains } = content;
  const problems: ProfileProblem[] = [];
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_LENGTH)) {
    problems.push({ field: 'content.name', message: `name must be a text of 1 to ${MAX_NAME_LENGTH} characters.` });
  }
  const read = domains === undefined ? [] : parseDomains(domains, problems);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, profile: domains === undefined ? content : { ...content, domains: [...new Set(read)] } };
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
