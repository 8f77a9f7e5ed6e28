import { parseFocus } from './focus.js';

/** A claim on an address, or on the state of one, with what held before. */
interface AddressClaim {
  readonly property: string;
  readonly value: unknown;
  readonly history?: readonly { readonly value: unknown }[];
}

/** Keys of the addresses that are known to reach somebody no longer: replaced, ended, or bouncing. */
export function findFormerEmails(claims: readonly AddressClaim[]): ReadonlySet<string> {
  const email = claims.find(({ property }) => property === 'email');
  const bounces = claims.some(({ property, value }) => property === 'email_status' && value === 'bounced');
  const current = emailKey(email?.value);
  const before = (email?.history ?? []).map(({ value }) => emailKey(value)).filter(key => key !== current);
  return new Set([...before, bounces ? current : undefined].filter(key => key !== undefined));
}

function emailKey(value: unknown): string | undefined {
  const focus = typeof value === 'string' ? parseFocus(value) : undefined;
  return focus?.form === 'email' ? focus.key : undefined;
}
