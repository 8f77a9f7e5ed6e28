import type { IdentifierFocus } from './focus.js';

/** Returns whether an identifier belongs to the workspace itself: one of its domains, or an address at one. */
export function isOwnDomain(focus: IdentifierFocus, own: ReadonlySet<string>): boolean {
  if (focus.form === 'domain') return own.has(focus.key);
  return focus.form === 'email' && focus.domain !== null && own.has(focus.domain);
}
