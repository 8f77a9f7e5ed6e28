import { toEmailKey } from './focus.js';

/** A claim about an address or its status, with its history. */
interface AddressClaim {
  readonly property: string;
  readonly value: unknown;
  readonly history?: readonly { readonly value: unknown }[];
}

/** Returns the keys of addresses that no longer reach the entity: replaced, ended, or bounced. */
export function findFormerEmails(claims: readonly AddressClaim[]): ReadonlySet<string> {
  const email = claims.find(({ property }) => property === 'email');
  const bounces = claims.some(({ property, value }) => property === 'email_status' && value === 'bounced');
  const current = toEmailKey(email?.value);
  const before = (email?.history ?? []).map(({ value }) => toEmailKey(value)).filter(key => key !== current);
  return new Set([...before, bounces ? current : undefined].filter(key => key !== undefined));
}
