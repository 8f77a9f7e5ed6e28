import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { EgressAccess, EgressAllowlist } from './egress-access.js';
import { EgressRefusedError } from './egress-errors.js';
import type { HostResolver } from './host-resolver.js';

/**
 * Creates a lookup that resolves a host once and returns only the addresses that may be called. The socket connects
 * to one of these without another lookup, so DNS rebinding has no effect.
 */
export function createGuardedLookup(rules: EgressRules, protocol: string, resolver: HostResolver): LookupFunction {
  return (hostname, options, callback) => {
    resolver.resolve(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const reachable = addresses.filter(({ address }) => rules.canReach(address, protocol));
      const [first] = reachable;
      if (!first) return callback(rules.refusalOfName(addresses.map(({ address }) => address)), []);
      if (options.all) return callback(null, [...reachable]);
      return callback(null, first.address, first.family);
    });
  };
}

const MIN_UNPRIVILEGED_PORT = 1024;
const ALLOWED_PRIVILEGED_PORTS = new Set([80, 443]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const MAX_URL_LENGTH = 4_096;

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
   * Parses a URL and checks all that can be checked before its host is resolved. The URL parser normalizes every
   * spelling of an IPv4 address (octal, hexadecimal, single number, full-width digits).
   * @throws EgressRefusedError if the URL is invalid or not allowed.
   */
  parseDestination(text: string): URL {
    if (text.length > MAX_URL_LENGTH || !URL.canParse(text))
      throw new EgressRefusedError('This is not a valid URL. Send an https URL.');
    const url = new URL(text);
    if (!(url.protocol in DEFAULT_PORTS)) throw new EgressRefusedError('The scheme is not https. Send an https URL.');
    if (url.username || url.password)
      throw new EgressRefusedError('The URL contains a user name or a password. Send the https URL without them.');
    if (this.isTrusted(url)) return url;
    const address = parseAddress(url);
    if (address) this.checkLiteralAddress(url, address);
    else if (!this.isAllowedPort(url)) throw createPortError();
    return url;
  }

  /** Returns whether the operator allows this client to call the URL, whatever address its host resolves to. */
  isTrusted(url: URL): boolean {
    return this.trustedOrigins.has(url.origin) || this.allowlist?.entries.hosts.has(hostNameOf(url)) === true;
  }

  /** Returns whether a resolved address may be called. Plain http is allowed only for the operator's networks. */
  canReach(address: string, protocol: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.isAllowed(parsed) || (protocol === 'https:' && this.publicAddresses && isPublic(parsed));
  }

  /** Returns the error for a host none of whose addresses may be called. */
  refusalOfName(addresses: readonly string[]): EgressRefusedError {
    const leadsToPublic = addresses.some(address => ipaddr.isValid(address) && isPublic(ipaddr.process(address)));
    if (!this.publicAddresses) return refusedOutsider();
    return leadsToPublic ? this.refusedScheme() : this.refusedPrivate('The host resolves to an address');
  }

  private checkLiteralAddress(url: URL, address: ipaddr.IPv4 | ipaddr.IPv6): void {
    if (this.isAllowed(address)) return;
    if (!this.publicAddresses) throw refusedOutsider();
    if (!isPublic(address)) throw this.refusedPrivate('The host is an address');
    if (url.protocol !== 'https:') throw this.refusedScheme();
    if (!this.isAllowedPort(url)) throw createPortError();
  }

  private isAllowed(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    const networks = this.allowlist?.entries.networks ?? [];
    return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  }

  private isAllowedPort({ port, protocol }: URL): boolean {
    const number = port === '' ? DEFAULT_PORTS[protocol]! : Number(port);
    return number >= MIN_UNPRIVILEGED_PORT || ALLOWED_PRIVILEGED_PORTS.has(number);
  }

  private refusedPrivate(how: string): EgressRefusedError {
    return new EgressRefusedError(
      `${how} that is not public. Send the https URL of a public host${this.operatorHint()}.`,
    );
  }

  private refusedScheme(): EgressRefusedError {
    return new EgressRefusedError(`Only https URLs can be called. Send an https URL${this.operatorHint()}.`);
  }

  private operatorHint(): string {
    return this.allowlist ? `, or ask the operator of this hub to add the host to ${this.allowlist.setting}` : '';
  }
}

function refusedOutsider(): EgressRefusedError {
  return new EgressRefusedError('The URL is not at the origin that the settings of the hub name. Correct the setting.');
}

function createPortError(): EgressRefusedError {
  return new EgressRefusedError(
    'Of the ports below 1024 only 80 and 443 can be called. Send an https URL with another port.',
  );
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is public. The library classifies reserved ranges (private, loopback, link-local,
 * translation, documentation …) as not unicast. Only 2000::/3 of IPv6 is allocated, but the library classifies the
 * rest, such as `::127.0.0.1`, as unicast.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** Returns the host without a trailing dot, which means the same host, and without brackets. */
function hostNameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
}

function parseAddress(url: URL): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = hostNameOf(url);
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}
