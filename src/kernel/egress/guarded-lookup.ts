import type { LookupFunction } from 'node:net';
import type { EgressRules } from './egress-rules.js';
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
