import { parseFocus } from '#domain/identity/focus.js';
import { isAutomatedSender, isRoleMailbox } from '#domain/identity/mailboxes.js';
import type { EmailFocus, LinkedinFocus } from '#domain/identity/types.js';
import { EMAIL_PATTERN, LINKEDIN_PROFILE_PATTERN } from './rules/contact.js';

/** A person that a text names unambiguously. */
export type NamedPerson = EmailFocus | LinkedinFocus;

/**
 * Returns the people that a text names by e-mail address or LinkedIn profile, in order and without duplicates.
 * Colleagues, shared mailboxes and automated senders are skipped.
 * @param own the workspace's own domains (ASCII)
 */
export function findNamedPeople(text: string, own: ReadonlySet<string>): NamedPerson[] {
  const named = [...text.matchAll(EMAIL_PATTERN), ...text.matchAll(LINKEDIN_PROFILE_PATTERN)]
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ 0: raw }) => parsePersonFocus(raw.replace(/(?<![.,:;!?'"])[.,:;!?'"]+$/, ''), own) ?? []);
  return [...new Map(named.map(person => [person.key, person])).values()];
}

function parsePersonFocus(text: string, own: ReadonlySet<string>): NamedPerson | undefined {
  const focus = parseFocus(text);
  if (focus.form === 'linkedin') return focus.entityType === 'person' ? focus : undefined;
  if (focus.form !== 'email' || isRoleMailbox(focus.local) || isAutomatedSender(focus.value)) return undefined;
  return focus.domain !== null && own.has(focus.domain) ? undefined : focus;
}
