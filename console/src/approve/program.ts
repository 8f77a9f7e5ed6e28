import type { Schemas } from '../api/schemas.ts';
import { approveWords } from '../words/approve.ts';

/** A key that a person entered instead of signing in, with what it can approve. */
export interface EnteredKey {
  readonly text: string;
  readonly approver: Schemas['ApprovingKey'];
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Says who vouches for a program. */
export function describeVerification({ verified_by, origin }: Schemas['RequestingProgram']): string {
  return verified_by ?? (origin === 'cli' ? approveWords.unverifiedCli : approveWords.unverified);
}

/** Says where an approval leads: the host of a web address, or an app on this machine. */
export function describeRedirect(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return approveWords.app(`${protocol}//`);
  return LOOPBACK_HOSTS.has(hostname) ? approveWords.localProgram(host) : host;
}

/**
 * Says for how long a granted key works: it cannot outlive the key that approves it.
 * @param expiresAt when the approving key expires; null if it does not
 */
export function describeLifetime(days: number, expiresAt: string | null, now: number): string {
  const isShorter = expiresAt !== null && Date.parse(expiresAt) < now + days * 86_400_000;
  return isShorter ? approveWords.shorterLife(days, expiresAt.slice(0, 10)) : approveWords.life(days);
}
