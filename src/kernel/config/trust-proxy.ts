import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The proxies whose `X-Forwarded-For` is believed: a number of hops, networks and addresses, or none. */
export type TrustedProxies = number | readonly string[] | false;

const MAX_HOPS = 10;
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Parses TRUST_PROXY: a number of proxies, or addresses and networks separated by commas, such as
 * `10.0.0.0/8, 2001:db8::/32`. The names `loopback`, `linklocal` and `uniquelocal` stand for their networks.
 * @returns the trusted proxies, or a sentence about the problem
 */
export function parseTrustedProxies(text: string): { readonly proxies: TrustedProxies } | string {
  const parts = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  if (parts.length === 0) return { proxies: false };
  if (parts.length === 1 && /^\d{1,3}$/.test(parts[0]!)) return toHops(Number(parts[0]));
  const invalid = parts.find(part => !NAMED_NETWORKS.has(part) && !isNetwork(part));
  if (invalid === undefined) return { proxies: parts };
  return `"${invalid}" is not a number of proxies, an IP address or a network such as 10.0.0.0/8`;
}

function toHops(hops: number): { readonly proxies: TrustedProxies } | string {
  if (hops > MAX_HOPS) return `must be at most ${MAX_HOPS} proxies`;
  return { proxies: hops === 0 ? false : hops };
}

function isNetwork(text: string): boolean {
  return isIP(text) !== 0 || (isIP(text.split('/')[0]!) !== 0 && ipaddr.isValidCIDR(text));
}
