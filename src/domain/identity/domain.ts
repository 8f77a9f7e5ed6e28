import { domainToASCII, domainToUnicode } from 'node:url';
import { parseHost, type ParsedHost } from './hosts.js';
import { toInvalidFocus, type DomainFocus, type IdentifierFocus, type InvalidFocus } from './types.js';

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
