import type { LookupFunction } from 'node:net';
import type { EgressRules } from './egress-rules.js';
import type { HostResolver } from './host-resolver.js';

/**
 * Resolves a name once and gives only the addresses that may be reached: the socket connects to one of these and asks
 * nobody again, so a name that changes its mind after the check (DNS rebinding) gains nothing.
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
