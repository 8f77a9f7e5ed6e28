import type { AllowlistEntries } from './egress-allowlist.js';

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
