import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { EgressRules } from './egress-rules.js';
import { EgressRefused } from './egress-errors.js';

/** Finds every address of a name. */
export type Resolve = (
  hostname: string,
  found: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** As the operating system does, `/etc/hosts` included. */
export const resolveBySystem: Resolve = (hostname, found) =>
  systemLookup(hostname, { all: true }, (error, addresses) => found(error, addresses ?? []));

/**
 * Resolves a name once and gives only the addresses that may be reached: the socket connects to one of these and asks
 * nobody again, so a name that changes its mind after the check (DNS rebinding) gains nothing.
 */
export function guardedLookup(rules: EgressRules, protocol: string, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const reachable = addresses.filter(({ address }) => rules.mayReach(address, protocol));
      const [first] = reachable;
      if (!first) return callback(refusal(protocol), []);
      if (options.all) return callback(null, [...reachable]);
      return callback(null, first.address, first.family);
    });
  };
}

function refusal(protocol: string): Error {
  return new EgressRefused(
    protocol === 'https:'
      ? 'The name leads to an address that is not public, and EGRESS_ALLOW does not name it.'
      : 'Only https addresses can be called; http ones only where EGRESS_ALLOW names them.',
  );
}
