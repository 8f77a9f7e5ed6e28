import { lookup, type LookupAddress } from 'node:dns';

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
