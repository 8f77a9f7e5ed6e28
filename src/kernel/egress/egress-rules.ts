import ipaddr from 'ipaddr.js';
import type { EgressAccess, EgressAllowlist } from './egress-access.js';
import { EgressRefused } from './egress-errors.js';

const LOWEST_FREE_PORT = 1024;
const privileged = new Set([80, 443]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const LONGEST_URL = 4_096;

/** Decides which URLs and addresses one egress client may call, by its {@link EgressAccess}. */
export class EgressRules {
  private readonly trustedOrigins: ReadonlySet<string>;
  private readonly publicAddresses: boolean;
  private readonly allowlist: EgressAllowlist | undefined;

  constructor({ publicAddresses = true, allowlist, trustedUrls = [] }: EgressAccess = {}) {
    this.publicAddresses = publicAddresses;
    this.allowlist = allowlist;
    this.trustedOrigins = new Set(trustedUrls.map(url => new URL(url).origin));
  }

  /**
   * Reads an address and judges all of it that can be judged before its name is resolved. The URL parser turns every
   * spelling of an IPv4 address (octal, hexadecimal, one number, full-width digits) into the usual one.
   * @throws EgressRefused
   */
  destination(text: string): URL {
    if (text.length > LONGEST_URL || !URL.canParse(text))
      throw new EgressRefused('This is not a valid URL. Send an https URL.');
    const url = new URL(text);
    if (!(url.protocol in DEFAULT_PORTS)) throw new EgressRefused('The scheme is not https. Send an https URL.');
    if (url.username || url.password)
      throw new EgressRefused('The URL contains a user name or a password. Send the https URL without them.');
    if (this.trusts(url)) return url;
    const address = addressIn(url);
    if (address) this.judgeLiteral(url, address);
    else if (!this.isPort(url)) throw refusedPort();
    return url;
  }

  /** Whether the operator lets this client call the URL, whatever address its host resolves to. */
  trusts(url: URL): boolean {
    return this.trustedOrigins.has(url.origin) || this.allowlist?.entries.hosts.has(nameIn(url)) === true;
  }

  /** Whether an address that a name resolved to may be called. Plain http reaches only what the operator has opened. */
  mayReach(address: string, protocol: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.isAllowed(parsed) || (protocol === 'https:' && this.publicAddresses && isPublic(parsed));
  }

  /** Returns the error for a name none of whose addresses may be called. */
  refusalOfName(addresses: readonly string[]): EgressRefused {
    const leadsToPublic = addresses.some(address => ipaddr.isValid(address) && isPublic(ipaddr.process(address)));
    if (!this.publicAddresses) return refusedOutsider();
    return leadsToPublic ? this.refusedScheme() : this.refusedPrivate('The host resolves to an address');
  }

  private judgeLiteral(url: URL, address: ipaddr.IPv4 | ipaddr.IPv6): void {
    if (this.isAllowed(address)) return;
    if (!this.publicAddresses) throw refusedOutsider();
    if (!isPublic(address)) throw this.refusedPrivate('The host is an address');
    if (url.protocol !== 'https:') throw this.refusedScheme();
    if (!this.isPort(url)) throw refusedPort();
  }

  private isAllowed(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    const networks = this.allowlist?.entries.networks ?? [];
    return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  }

  private isPort({ port, protocol }: URL): boolean {
    const number = port === '' ? DEFAULT_PORTS[protocol]! : Number(port);
    return number >= LOWEST_FREE_PORT || privileged.has(number);
  }

  private refusedPrivate(how: string): EgressRefused {
    return new EgressRefused(`${how} that is not public. Send the https URL of a public host${this.operatorHint()}.`);
  }

  private refusedScheme(): EgressRefused {
    return new EgressRefused(`Only https URLs can be called. Send an https URL${this.operatorHint()}.`);
  }

  private operatorHint(): string {
    return this.allowlist ? `, or ask the operator of this hub to add the host to ${this.allowlist.setting}` : '';
  }
}

function refusedOutsider(): EgressRefused {
  return new EgressRefused('The URL is not at the origin that the settings of the hub name. Correct the setting.');
}

function refusedPort(): EgressRefused {
  return new EgressRefused(
    'Of the ports below 1024 only 80 and 443 can be called. Send an https URL with another port.',
  );
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
