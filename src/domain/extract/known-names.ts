import { isPlainObject, type JsonValue } from '../observation/observation.js';
import { parseFocus } from '../identity/focus.js';
import { isAutomatedSender, isRoleMailbox } from '../identity/email.js';
import type { EmailFocus, LinkedinFocus } from '../identity/types.js';
import { EMAIL_PATTERN, LINKEDIN_PROFILE_PATTERN } from './rules/contact.js';

const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 60;
const LIST_ITEM = /^[^\S\n\r\u2028\u2029]*(?:[-*•]|\d+[.)])\s+(.+)$/gm;

/**
 * Parses the names that a section of the workspace's facts lists: texts of an array, the `name` of objects, items of a
 * Markdown list (up to the first `:`, `(` or dash), or comma-separated texts. Without duplicates.
 */
export function parseKnownNames(content: JsonValue | undefined): string[] {
  const found = collectNames(content).map(name => name.replaceAll(/[*_`#]/g, '').trim());
  return [...new Set(found.filter(name => name.length > 1 && name.length <= MAX_NAME_LENGTH))].slice(0, MAX_NAMES);
}

/** Returns the values that rules of a model about `technologies` compare with. */
export function listModelTechnologies(model: JsonValue | undefined): string[] {
  if (Array.isArray(model)) return [...new Set(model.flatMap(listModelTechnologies))].slice(0, MAX_NAMES);
  if (!isPlainObject(model)) return [];
  const own = /^(?:technologies|tech_stack)$/.test(String(model['property'])) ? filterTexts(model['value']) : [];
  const inside = [...Object.values(model).flatMap(listModelTechnologies), ...filterTexts(model['technology'])];
  return [...new Set([...own, ...inside])].slice(0, MAX_NAMES);
}

function collectNames(content: JsonValue | undefined): string[] {
  if (typeof content === 'string') return splitNames(content);
  if (Array.isArray(content)) return content.flatMap(item => (typeof item === 'string' ? [item] : collectNames(item)));
  if (!isPlainObject(content)) return [];
  if (typeof content['name'] === 'string') return [content['name']];
  return Object.values(content).flatMap(value => (typeof value === 'string' ? splitNames(value) : collectNames(value)));
}

function splitNames(text: string): string[] {
  const items = [...text.matchAll(LIST_ITEM)].map(([, item]) => item!.split(/[:(]| [-–—] /)[0]!);
  return items.length > 0 || text.includes('\n') ? items : text.split(/[,;]/);
}

function filterTexts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string');
}

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
