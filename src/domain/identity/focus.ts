import { parseDomain } from './domain.js';
import { parseEmail } from './email.js';
import { parseLinkedin } from './linkedin.js';
import { nameKey } from './names.js';
import { collapseWhitespace, hasControlCharacters, MAX_FOCUS_LENGTH, unwrapAddress } from './focus-text.js';
import { toInvalidFocus } from './types.js';
import type { ExternalFocus } from './types.js';
import type { EntityType, Focus, Identifier, IdentifierFocus, InvalidFocus, PreciseFocus } from './types.js';

export type * from './types.js';

const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

// As long as any other focus may be.
const MAX_EXTERNAL_ID_LENGTH = 320;

// Whoever writes mailto: means a mailbox, also where the @ got lost.
const MAIL_LINK = /^\s*mailto:/i;

/**
 * Says what a text means as the subject of a call. Total: every string gets an answer and none throws. Tried
 * in this order: UUID, LinkedIn address, e-mail address (anything with an `@`: a broken one never becomes a
 * name), domain or web address, name. Equal subjects in different spellings have equal keys, and
 * `parseFocus(formatFocus(x))` is `x`.
 */
export function parseFocus(text: string): Focus {
  const subject = unwrapAddress(text);
  const problem = findFocusProblem(subject);
  if (problem) return toInvalidFocus(problem);
  const plain = subject.normalize('NFKC');
  const id = UUID.exec(plain)?.[1];
  if (id) return { form: 'uuid', id: id.toLowerCase() };
  const linkedin = parseLinkedin(subject);
  if (linkedin) return linkedin;
  if (plain.includes('@') || MAIL_LINK.test(text)) return parseEmail(subject);
  return parseDomain(subject) ?? { form: 'name', key: nameKey(subject), text: collapseWhitespace(subject) };
}

function findFocusProblem(subject: string): string | undefined {
  if (subject === '') return 'The focus is empty; send an entity id, e-mail address, domain or LinkedIn address.';
  if (subject.length > MAX_FOCUS_LENGTH) {
    return `The focus is longer than ${MAX_FOCUS_LENGTH} characters; send the bare identifier without a query.`;
  }
  if (hasControlCharacters(subject)) {
    return 'The focus has a control character (a line break, a tab, a NUL) in it; send the identifier alone.';
  }
  return undefined;
}

/** The text of a focus, in its canonical spelling. */
export function formatFocus(focus: Exclude<Focus, InvalidFocus>): string {
  if (focus.form === 'uuid') return focus.id;
  return focus.form === 'name' ? focus.text : focus.value;
}

/** Whether a write accepts it: everything but a bare name and what is broken. */
export function isPrecise(focus: Focus): focus is PreciseFocus {
  return focus.form !== 'name' && focus.form !== 'invalid';
}

/** The identifier that the entity of this focus is stored and found by. */
export function toIdentifier(focus: IdentifierFocus): Identifier {
  return { kind: focus.form, value: focus.value, key: focus.key };
}

/**
 * The id of another system as a focus; undefined when nothing is left of it without the white space around it, or when
 * it is longer than any id (320 characters). Ids are told apart by case.
 */
export function toExternalFocus(form: ExternalFocus['form'], id: string): ExternalFocus | undefined {
  const key = id.trim();
  return key === '' || key.length > MAX_EXTERNAL_ID_LENGTH || hasControlCharacters(key)
    ? undefined
    : { form, value: key, key };
}

/**
 * What kind of entity a write creates for this focus: a mailbox and a profile are a person's, a domain a
 * company's.
 */
export function entityTypeOf(focus: IdentifierFocus): EntityType {
  if (focus.form === 'linkedin') return focus.entityType;
  return focus.form === 'domain' ? 'company' : 'person';
}
