import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import {
  toInvalidFocus,
  type DomainFocus,
  type IdentifierFocus,
  type InvalidFocus,
  type EntityType,
  type LinkedinFocus,
} from './types.js';

/** Maximum length of a focus text in UTF-16 units: the longest e-mail address of RFC 5321 (64 + 1 + 255). */
export const MAX_FOCUS_LENGTH = 320;

const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const CONTROL = /\p{Cc}/u;
const BARE_ANGLES = /^<([^<>]*)>$/;
const NAMED_ADDRESS = /^[^<>]*<([^<>@]*@[^<>]*)>$/;

/**
 * Removes invisible characters that copying adds: soft hyphens, zero-width spaces, direction marks, and surrounding
 * white space. Joiners (ZWJ, ZWNJ) stay: names, slugs and domains of some scripts need them.
 */
export function normalizeText(text: string): string {
  return text.replace(INVISIBLE, '').trim();
}

/** Replaces each run of white space by one space. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns whether a text has a control character (NUL, tab, line break …) or half of a surrogate pair. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text) || !text.isWellFormed();
}

/** Unwraps an address: `<…>`, `Name <…@…>` and `mailto:` (whose rest is percent-decoded). */
export function unwrapAddress(text: string): string {
  for (let current = normalizeText(text); ;) {
    const inner = normalizeText(unwrapAddressOnce(current));
    if (inner === current) return current;
    current = inner;
  }
}

function unwrapAddressOnce(text: string): string {
  if (/^mailto:/i.test(text)) return decodePercent(text.slice('mailto:'.length)) ?? text.slice('mailto:'.length);
  return (BARE_ANGLES.exec(text) ?? NAMED_ADDRESS.exec(text))?.[1] ?? text;
}

/** Percent-decodes a text; undefined if it is not well encoded. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Result of parsing a host name. `domain` is the registrable domain; both are in ASCII and lower case. */
export type ParsedHost =
  | { readonly kind: 'registrable'; readonly host: string; readonly domain: string }
  | { readonly kind: 'suffix'; readonly host: string; readonly isPrivate: boolean }
  | { readonly kind: 'ip' }
  | { readonly kind: 'single-label' }
  | { readonly kind: 'unknown-suffix'; readonly suffix: string }
  | { readonly kind: 'malformed'; readonly suffixKnown: boolean };

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const ADDRESS_LITERAL = /^\[(?:ipv6:)?(.*)\]$/i;
const FORBIDDEN_IN_HOST = /[\s/?#\\:@%]/;
const RESERVED_FOR_TESTS = new Set(['test', 'example']);

/** Names that `domainToASCII` would only lower-case; nearly all are. */
const PLAIN = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;

/** Returns the ASCII form of a host name in lower case; empty if it has none. */
export function toAsciiHost(name: string): string {
  if (PLAIN.test(name) && !/(?:^|\.)xn--/i.test(name)) return name.toLowerCase();
  // domainToASCII silently truncates at these characters, or decodes them.
  return FORBIDDEN_IN_HOST.test(name) ? '' : domainToASCII(name);
}

/**
 * Parses a host name by the Public Suffix List, including private suffixes (`acme.github.io` belongs to one company).
 * The list is ASCII only, so international names are converted first. The suffixes `.test` and `.example`, which RFC
 * 2606 reserves for tests and documentation, count as public suffixes.
 */
export function parseHost(text: string): ParsedHost {
  const given = text.endsWith('.') ? text.slice(0, -1) : text;
  if (parse(given.replace(ADDRESS_LITERAL, '$1'), { extractHostname: false }).isIp) return { kind: 'ip' };
  const host = toAsciiHost(given);
  const found = parse(host || given, {
    extractHostname: false,
    validateHostname: false,
    allowPrivateDomains: true,
  });
  // "42" and "1.2.3" are addresses only by browser rules; as hosts they are malformed.
  if (found.isIp) return { kind: 'malformed', suffixKnown: false };
  const suffix = found.publicSuffix ?? '';
  const suffixKnown = found.isIcann === true || found.isPrivate === true || RESERVED_FOR_TESTS.has(suffix);
  const labels = host.split('.');
  if (host.length > MAX_HOST_LENGTH || !labels.every(label => LABEL.test(label))) {
    return { kind: 'malformed', suffixKnown };
  }
  if (labels.length === 1) return { kind: 'single-label' };
  if (!suffixKnown) return { kind: 'unknown-suffix', suffix };
  if (!found.domain) return { kind: 'suffix', host, isPrivate: found.isPrivate === true };
  if (found.domain.includes('_')) return { kind: 'malformed', suffixKnown };
  return { kind: 'registrable', host, domain: found.domain };
}

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const HOST = /^(\[[^\]]*\]|[^/?#\\:]*)(?::\d*)?(?:[/?#\\]|$)/;

/**
 * Parses the registrable domain of a company from a domain, a host name or a URL (`https://www.acme.com/about`).
 * Undefined if the text does not look like one, so that it may still be a name.
 */
export function parseDomain(text: string): DomainFocus | InvalidFocus | undefined {
  const address = text.normalize('NFKC');
  const isLink = SCHEME.test(address);
  if (!isLink && /\s/.test(address)) return undefined;
  const rest = address.replace(SCHEME, '');
  const host = HOST.exec(rest)?.[1] ?? rest;
  const read = parseHost(host);
  if (read.kind === 'registrable') return toDomainFocus(read.domain);
  return isLink || isHostOnly(read) ? toInvalidFocus(describeInvalidHost(read)) : undefined;
}

function toDomainFocus(key: string): DomainFocus {
  const readable = domainToUnicode(key).normalize('NFKC');
  return { form: 'domain', value: domainToASCII(readable) === key ? readable : key, key };
}

/**
 * A word with an unknown ending (`Node.js`) and a single word (`Acme`) are names; everything else is an invalid domain.
 */
function isHostOnly(host: ParsedHost): boolean {
  return host.kind === 'suffix' || host.kind === 'ip' || (host.kind === 'malformed' && host.suffixKnown);
}

function describeInvalidHost(host: Exclude<ParsedHost, { kind: 'registrable' }>): string {
  switch (host.kind) {
    case 'suffix':
      return `"${host.host}" is a public suffix that many companies share; send the company's own domain.`;
    case 'ip':
      return 'An IP address names no company; send its domain, such as acme.com.';
    case 'single-label':
      return 'The address has a host without an ending; send a whole domain, such as acme.com.';
    case 'unknown-suffix':
      return `No public domain ends in ".${host.suffix}"; check the spelling of the domain.`;
    case 'malformed':
      return 'The domain has an empty, too long or wrongly spelt part; send it in the form acme.com.';
  }
}

/** Returns whether an identifier belongs to the workspace itself: one of its domains, or an address at one. */
export function isOwnDomain(focus: IdentifierFocus, own: ReadonlySet<string>): boolean {
  if (focus.form === 'domain') return own.has(focus.key);
  return focus.form === 'email' && focus.domain !== null && own.has(focus.domain);
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:[a-z0-9-]+\.)*linkedin\.com\.?(?::\d+)?\/+([^?#]*)/i;
const MENTION = /(?:^|[\s/(<,;:])(?:[a-z0-9-]+\.)*linkedin\.com\/+(?:in|pub|company|school|showcase|sales)\//i;
const ENTITY_TYPES_BY_KIND = new Map<string, EntityType>([
  ['in', 'person'],
  ['pub', 'person'],
  ['company', 'company'],
  ['school', 'company'],
  ['showcase', 'company'],
]);
// LinkedIn allows 100; older slugs can be longer.
const MAX_SLUG_LENGTH = 200;
const FORBIDDEN_IN_SLUG = /[\s/\\?#%<>"]/;
const PUB_ID_COUNT = 3;

/**
 * Parses a LinkedIn profile or company page. Country hosts, queries, locale suffixes (`/de`) and `/recent-activity` are
 * dropped. Undefined if the text is not a LinkedIn URL with a path (`linkedin.com` alone is the domain of a company).
 */
export function parseLinkedin(text: string): LinkedinFocus | InvalidFocus | undefined {
  const path = ADDRESS.exec(text)?.[1];
  if (path === undefined && MENTION.test(text) && /\s/.test(text)) {
    return toInvalidFocus('The text holds more than a LinkedIn address; send the address alone.');
  }
  const parts = (path ?? '').split('/').filter(part => part !== '');
  if (parts.length === 0) return undefined;
  const page = parsePage(parts.map(parseSlug));
  if (!page)
    return toInvalidFocus('This LinkedIn address is no profile or company page; send one with /in/ or /company/.');
  if (!page.slug) {
    return toInvalidFocus(
      'The LinkedIn address has no readable name behind its page kind; copy it again from the page.',
    );
  }
  const place = `${page.kind}/${page.slug}`;
  return {
    form: 'linkedin',
    value: `https://www.linkedin.com/${place}`,
    key: `linkedin.com/${normalizePlace(place)}`,
    entityType: page.entityType,
  };
}

interface LinkedinPage {
  readonly kind: string;
  readonly slug: string | undefined;
  readonly entityType: EntityType;
}

/** Unreadable parts are undefined; after the slug they do not matter. */
type PathParts = readonly (string | undefined)[];

function parsePage([first, slug, ...tail]: PathParts): LinkedinPage | undefined {
  const kind = first?.toLowerCase() ?? '';
  if (kind === 'sales' && slug?.toLowerCase() === 'lead') {
    // "<id>,<search>,<token>": only the ID identifies the person.
    return { kind: 'sales/lead', slug: tail[0]?.split(',', 1)[0], entityType: 'person' };
  }
  const entityType = ENTITY_TYPES_BY_KIND.get(kind);
  if (!entityType || isDirectory(kind, slug)) return undefined;
  return { kind, slug: kind === 'pub' && slug ? [slug, ...parsePubIds(tail)].join('/') : slug, entityType };
}

/** `/in/me` is the signed-in user, `/pub/dir` a list of people with the same name. */
function isDirectory(kind: string, slug: string | undefined): boolean {
  return (kind === 'in' && slug?.toLowerCase() === 'me') || (kind === 'pub' && slug?.toLowerCase() === 'dir');
}

/**
 * An old public profile is distinguished from namesakes by three short IDs after the name; fewer are a locale suffix.
 */
function parsePubIds(tail: PathParts): PathParts {
  const ids = tail.slice(0, PUB_ID_COUNT);
  return ids.length === PUB_ID_COUNT && ids.every(part => part && /^[0-9a-z]{1,3}$/i.test(part)) ? ids : [];
}

function parseSlug(encoded: string): string | undefined {
  const slug = normalizeText(decodePercent(encoded) ?? '').normalize('NFC');
  const readable =
    slug !== '' && slug.length <= MAX_SLUG_LENGTH && !FORBIDDEN_IN_SLUG.test(slug) && !hasControlCharacters(slug);
  return readable ? slug : undefined;
}

function normalizePlace(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
