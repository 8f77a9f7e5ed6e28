import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Length of the prefix that one subscriber of IPv6 gets, in bits. */
const IPV6_NETWORK_BITS = 64;
const NETWORK_PARTS = IPV6_NETWORK_BITS / 16;

/**
 * Returns the address of the client: that of the connection, or with TRUST_PROXY the one that the trusted proxies
 * forward. A forwarded text that is no IP address is ignored.
 */
export function readClientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return normalizeAddress(ip) ?? normalizeAddress(socket.remoteAddress ?? '') ?? 'unknown';
}

/** Returns the network by which callers are counted: an IPv4 address itself, or the /64 of an IPv6 address. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const parts = parsed.parts.map((part, i) => (i < NETWORK_PARTS ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/${IPV6_NETWORK_BITS}`;
}

function normalizeAddress(text: string): string | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}
