import { type Identifier, type IdentifierFocus, parseFocus } from '../identity/focus.js';
import { findWorkDomain } from '../identity/email.js';
import { canonicalEmailStatus } from '../properties/registry.js';
import type { Evidence, FactMap, HardFlag } from './evidence.js';

const UNUSABLE_EMAIL_STATUSES = new Set(['bounced', 'invalid', 'unsubscribed']);

/** How a lead can be reached, and what rules it out. */
export type Reachability = Pick<Evidence, 'precise' | 'reachable' | 'domains' | 'flags'>;

/**
 * Computes whether a lead can be looked up and reached. A mailbox that bounced or was unsubscribed does not count;
 * another mailbox, a profile or a phone does. Own domains are never prospects.
 * @param own registrable domains of the workspace itself.
 * @param ofCompany identifiers of the lead's company: they give its domains, but reach nobody.
 */
export function computeReachability(
  identifiers: readonly Identifier[],
  facts: FactMap,
  own: ReadonlySet<string>,
  ofCompany: readonly Identifier[] = [],
): Reachability {
  const domains = [...new Set([...identifiers, ...ofCompany].flatMap(readDomains))];
  const status = facts.get('email_status');
  const dead =
    status?.missingReason === undefined && UNUSABLE_EMAIL_STATUSES.has(canonicalEmailStatus(String(status?.value)));
  const mailboxes = identifiers.filter(({ kind }) => kind === 'email').length - (dead ? 1 : 0);
  const others = identifiers.some(({ kind }) => kind === 'linkedin') || isUsable(facts, 'phone');
  const reachable = mailboxes > 0 || others;
  const flags: HardFlag[] = [
    ...(isTrue(facts, 'unsubscribed') || String(status?.value) === 'unsubscribed' ? ['unsubscribed' as const] : []),
    ...(isTrue(facts, 'do_not_contact') ? ['do_not_contact' as const] : []),
    ...(dead && !reachable ? ['no_live_channel' as const] : []),
    ...(domains.some(domain => own.has(domain)) ? ['own_domain' as const] : []),
  ];
  return { precise: identifiers.length > 0, reachable, domains, flags };
}

/** Parses a text as an identifier; undefined if it is none. */
export function parseLeadIdentifier(text: string): IdentifierFocus | undefined {
  const focus = parseFocus(text);
  return focus.form === 'email' || focus.form === 'domain' || focus.form === 'linkedin' ? focus : undefined;
}

function readDomains({ kind, key, value }: Identifier): string[] {
  if (kind === 'domain') return [key];
  const mailbox = kind === 'email' ? parseFocus(value) : undefined;
  const domain = mailbox?.form === 'email' ? findWorkDomain(mailbox) : undefined;
  return domain === undefined ? [] : [domain];
}

function isTrue(facts: FactMap, property: string): boolean {
  const fact = facts.get(property);
  return fact !== undefined && fact.missingReason === undefined && fact.value !== false && fact.value !== 'false';
}

function isUsable(facts: FactMap, property: string): boolean {
  const fact = facts.get(property);
  return fact !== undefined && fact.missingReason === undefined;
}
