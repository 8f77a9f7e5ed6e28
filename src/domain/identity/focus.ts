import { parseDomain } from './domain.js';
import { parseEmail } from './email.js';
import { parseLinkedin } from './linkedin.js';
import { formatExternal, parseExternal } from './external.js';
import { nameKey } from './names.js';
import { isPhoneText, parsePhone } from './phone.js';
import { collapseWhitespace, hasControlCharacters, MAX_FOCUS_LENGTH, unwrapAddress } from './focus-text.js';
import {
  toInvalidFocus,
  type EntityType,
  type Focus,
  type Identifier,
  type IdentifierFocus,
  type InvalidFocus,
  type PreciseFocus,
} from './types.js';

export type * from './types.js';

const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

// A mailto: link always means a mailbox, even if the @ is missing.
const MAIL_LINK = /^\s*mailto:/i;

/**
 * Parses the subject of a call. Never throws. Tries in this order: UUID, ID of another system (`external:hubspot:501`),
 * phone number (`tel:` or a number that begins with `+`), LinkedIn URL, e-mail address (anything with an `@`; an invalid
 * one never becomes a name), domain or URL, name. Different spellings of one subject have equal keys,
 * and `parseFocus(formatFocus(x))` equals `x`.
 */
export function parseFocus(text: string): Focus {
  const subject = unwrapAddress(text);
  const problem = findFocusProblem(subject);
  if (problem) return toInvalidFocus(problem);
  const plain = subject.normalize('NFKC');
  const id = UUID.exec(plain)?.[1];
  if (id) return { form: 'uuid', id: id.toLowerCase() };
  const external = parseExternal(subject);
  if (external) return external;
  if (isPhoneText(plain)) return parsePhone(plain);
  const linkedin = parseLinkedin(subject);
  if (linkedin) return linkedin;
  if (plain.includes('@') || MAIL_LINK.test(text)) return parseEmail(subject);
  return parseDomain(subject) ?? { form: 'name', key: nameKey(subject), text: collapseWhitespace(subject) };
}

function findFocusProblem(subject: string): string | undefined {
  if (subject === '')
    return 'The focus is empty; send an entity id, e-mail address, domain, LinkedIn address, phone number or external ID.';
  if (subject.length > MAX_FOCUS_LENGTH) {
    return `The focus is longer than ${MAX_FOCUS_LENGTH} characters; send the bare identifier without a query.`;
  }
  if (hasControlCharacters(subject)) {
    return 'The focus has a control character (a line break, a tab, a NUL) in it; send the identifier alone.';
  }
  return undefined;
}

/** Returns the text of a focus in its canonical spelling. */
export function formatFocus(focus: Exclude<Focus, InvalidFocus>): string {
  if (focus.form === 'uuid') return focus.id;
  if (focus.form === 'phone') return `tel:${focus.value}`;
  if (focus.form === 'external') return formatExternal(focus);
  return focus.form === 'name' ? focus.text : focus.value;
}

/** Returns whether a write accepts the focus: everything but names and invalid text. */
export function isPrecise(focus: Focus): focus is PreciseFocus {
  return focus.form !== 'name' && focus.form !== 'invalid';
}

/** Returns the identifier by which the entity of this focus is stored and found. */
export function toIdentifier(focus: IdentifierFocus): Identifier {
  return { kind: focus.form, value: focus.value, key: focus.key };
}

/**
 * Returns the type of entity that a write creates for this focus: mailboxes, profiles and phone numbers belong to
 * people, domains to companies.
 */
export function entityTypeOf(focus: IdentifierFocus): EntityType {
  if (focus.form === 'linkedin' || focus.form === 'external') return focus.entityType;
  return focus.form === 'domain' ? 'company' : 'person';
}
