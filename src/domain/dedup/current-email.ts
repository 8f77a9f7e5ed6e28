import type { ContactStatus } from './contact-status.js';

/** An address of a contact, as key and as text. */
export interface ContactAddress {
  readonly key: string;
  readonly value: string;
}

/**
 * Returns an address to use instead of a dead one: the current one, else the one known longest. Undefined if all known
 * addresses are dead.
 * @param addresses in the order in which they became known.
 */
export function findCurrentEmail(
  { currentEmail, formerEmails }: ContactStatus,
  addresses: readonly ContactAddress[],
  dead: string | undefined,
): string | undefined {
  const isDead = ({ key }: ContactAddress) => key === dead || formerEmails.has(key);
  const live = addresses.filter(address => !isDead(address));
  return (live.find(({ key }) => key === currentEmail) ?? live[0])?.value;
}
