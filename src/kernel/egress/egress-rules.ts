import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { EgressRefusedError } from './egress-errors.js';

/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  found: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * Resolves host names for all egress clients with the resolver of the operating system, which includes `/etc/hosts`.
 */
export class HostResolver {
  /** Replaced by tests only. */
  resolve: Resolve = (hostname, found) =>
    lookup(hostname, { all: true }, (error, addresses) => found(error, addresses ?? []));
}

/** Destinations that an egress client may call. Access belongs to one client and grants nothing to others. */
export interface EgressAccess {
  /** Whether public https addresses may be called. Default true. */
  readonly publicAddresses?: boolean;
  /** Hosts and networks that the operator has allowed for this client. Default none. */
  readonly allowlist?: EgressAllowlist;
  /** URLs that the operator has configured for this client; exactly their origins may be called. Default none. */
  readonly trustedUrls?: readonly string[];
}

/** An allowlist and the setting that defines it, which error messages name as the fix. */
export interface EgressAllowlist {
  /** Name of the environment variable. */
  readonly setting: string;
  readonly entries: AllowlistEntries;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Entries of an allowlist: destinations that an operator allows in addition to public addresses. */
export interface AllowlistEntries {
  /** Host names in lower case; allowed whatever they resolve to. */
  readonly hosts: ReadonlySet<string>;
  /** Networks as address and prefix length. */
  readonly networks: readonly (readonly [address: Address, bits: number])[];
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Parses an allowlist (`EGRESS_ALLOWLIST`, `TRIGGERS_EGRESS_ALLOWLIST`): host names, addresses and networks (CIDR),
 * separated by commas.
 * @returns the entries, or a sentence that names the invalid part.
 */
export function parseEgressAllowlist(text: string): AllowlistEntries | string {
  const hosts = new Set<string>();
  const networks: [Address, number][] = [];
  for (const part of text.split(',').map(each => each.trim().toLowerCase())) {
    if (part === '') continue;
    const network = parseNetwork(part);
    if (network) networks.push(network);
    else if (HOST_NAME.test(part) && !/^[\d.]+$/.test(part)) hosts.add(part);
    else return `"${part}" is no host name, address or network such as 10.0.0.0/8`;
  }
  return { hosts, networks };
}

function parseNetwork(text: string): [Address, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.parse(bare);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

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
