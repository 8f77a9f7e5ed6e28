import type { AllowlistEntries } from './egress-allowlist.js';

/** What one egress client may call. Access belongs to the client that has it: no other client gains anything by it. */
export interface EgressAccess {
  /** Whether public https addresses may be called. Default true. */
  readonly publicAddresses?: boolean;
  /** Hosts and networks that the operator has opened for this client. Default none. */
  readonly allowlist?: EgressAllowlist;
  /** URLs that the operator has configured for this client; exactly their origins may be called. Default none. */
  readonly trustedUrls?: readonly string[];
}

/** An allow list with the setting that holds it, which errors name as the fix. */
export interface EgressAllowlist {
  /** Name of the environment variable. */
  readonly setting: string;
  readonly entries: AllowlistEntries;
}
