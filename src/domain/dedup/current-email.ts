import type { ContactStatus } from './contact-status.js';

/** An address of somebody, by key and as it is written. */
export interface ContactAddress {
  readonly key: string;
  readonly value: string;
}

/**
 * Another address to write to in place of one that is dead: the one that stands, else the one known longest; undefined
 * when there is none of which nothing bad is known.
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
