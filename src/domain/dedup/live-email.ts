import type { Standing } from './standing.js';

/** An address of somebody, by key and as it is written. */
export interface Address {
  readonly key: string;
  readonly value: string;
}

/**
 * Another address to write to in place of one that is dead: the one that stands, else the one known longest; undefined
 * when there is none of which nothing bad is known.
 * @param addresses in the order in which they became known.
 */
export function liveEmail(
  { currentEmail, endedEmails }: Standing,
  addresses: readonly Address[],
  dead: string | undefined,
): string | undefined {
  const isDead = ({ key }: Address) => key === dead || endedEmails.has(key);
  const live = addresses.filter(address => !isDead(address));
  return (live.find(({ key }) => key === currentEmail) ?? live[0])?.value;
}
