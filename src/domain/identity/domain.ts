import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { toInvalidFocus, type DomainFocus, type IdentifierFocus, type InvalidFocus } from './types.js';

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
