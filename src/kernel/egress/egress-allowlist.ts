import ipaddr from 'ipaddr.js';

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
