import { lookup, type LookupAddress } from 'node:dns';

/** Finds every address of a host name. */
export type Resolve = (
  hostname: string,
  found: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Resolves host names for every egress client, as the operating system does, `/etc/hosts` included. */
export class HostResolver {
  /** Replaced by tests only. */
  resolve: Resolve = (hostname, found) =>
    lookup(hostname, { all: true }, (error, addresses) => found(error, addresses ?? []));
}
