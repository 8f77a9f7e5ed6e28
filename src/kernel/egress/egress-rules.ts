import ipaddr from 'ipaddr.js';
import type { EgressAllowance } from './allowance.js';
import { EgressRefused } from './egress-errors.js';

const LOWEST_FREE_PORT = 1024;
const privileged = new Set([80, 443]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const LONGEST_URL = 4_096;

/** Where a request may go: what is public, and what the operator allows. */
export class EgressRules {
  private readonly trusted: ReadonlySet<string>;

  /** @param trustedOrigins addresses that the operator has set for a purpose of ours; exactly these may be reached. */
  constructor(
    private readonly allow: EgressAllowance,
    trustedOrigins: readonly (string | undefined)[] = [],
  ) {
    this.trusted = new Set(trustedOrigins.flatMap(url => (url === undefined ? [] : new URL(url).origin)));
  }

  /**
   * Reads an address and judges all of it that can be judged before its name is resolved. The URL parser turns every
   * spelling of an IPv4 address (octal, hexadecimal, one number, full-width digits) into the usual one.
   * @throws EgressRefused
   */
  destination(text: string): URL {
    if (text.length > LONGEST_URL || !URL.canParse(text)) throw new EgressRefused('This is no address (URL).');
    const url = new URL(text);
    if (!(url.protocol in DEFAULT_PORTS)) throw new EgressRefused('Only http and https addresses can be called.');
    if (url.username || url.password) throw new EgressRefused('An address may not hold a user name or a password.');
    if (this.trusted.has(url.origin) || this.allow.hosts.has(nameIn(url))) return url;
    const address = addressIn(url);
    if (address) this.judgeLiteral(url, address);
    else if (!this.isPort(url)) throw refusedPort();
    return url;
  }

  /** Whether a name may lead to any address at all, because the operator says so. */
  trusts(url: URL): boolean {
    return this.trusted.has(url.origin) || this.allow.hosts.has(nameIn(url));
  }

  /** Whether what a name resolved to may be reached; over plain http only what the operator allows may. */
  mayReach(address: string, protocol: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.isAllowed(parsed) || (protocol === 'https:' && isPublic(parsed));
  }

  private judgeLiteral(url: URL, address: ipaddr.IPv4 | ipaddr.IPv6): void {
    if (this.isAllowed(address)) return;
    if (!isPublic(address)) throw new EgressRefused('This address is not public, and EGRESS_ALLOW does not name it.');
    if (url.protocol !== 'https:') throw refusedScheme();
    if (!this.isPort(url)) throw refusedPort();
  }

  private isAllowed(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return this.allow.networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  }

  private isPort({ port, protocol }: URL): boolean {
    const number = port === '' ? DEFAULT_PORTS[protocol]! : Number(port);
    return number >= LOWEST_FREE_PORT || privileged.has(number);
  }
}

/** The sentence for plain http to what the operator does not name. */
export function refusedScheme(): EgressRefused {
  return new EgressRefused('Only https addresses can be called; http ones only where EGRESS_ALLOW names them.');
}

function refusedPort(): EgressRefused {
  return new EgressRefused('Of the ports below 1024 only 80 and 443 can be called.');
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * What is set aside for anything (private, loopback, link-local, translation, documentation …) is not unicast to the
 * library. Of IPv6 only 2000::/3 is in use: it takes the rest, such as `::127.0.0.1`, for unicast as well.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** A trailing dot means the same host. */
function nameIn({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
}

function addressIn(url: URL): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = nameIn(url);
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}
