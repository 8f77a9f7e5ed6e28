import type { JsonValue } from '../observation/observation.js';
import type { PersonalTerms } from './personal-terms.js';

/** Replaces what was erased in a text. */
export const ERASED_MARK = '[erased]';

/** Finds and removes mentions of one person. */
export interface MentionMatcher {
  /** POSIX regular expression that matches, without case, every text with a mention, and a few others. */
  readonly prefilter: string;
  /** Returns whether a text mentions the person. */
  isMentionedIn(text: string): boolean;
  /**
   * Returns whether a key, such as an external ID, contains a mention or, anywhere in it, an identifier: `import-ada@…`
   * counts, although it could be another address.
   */
  isPartOf(key: string): boolean;
  /** Returns the text with {@link ERASED_MARK} in place of each mention. */
  redact(text: string): string;
}

/** A term as a JavaScript expression, and as a POSIX one. */
interface Term {
  readonly source: string;
  readonly posix: string;
}

/**
 * Terms of one kind with their common boundaries, which stand in the expression only once: V8 takes very long to compile
 * many large character classes.
 */
interface TermGroup {
  readonly before: string;
  readonly terms: readonly Term[];
  readonly after: string;
}

/** Names that a JSON object uses for a person's own fields, in lower case without separators. */
const PERSON_FIELDS: ReadonlySet<string> = new Set(
  'name fullname displayname firstname lastname givenname familyname middlename nickname salutation phone phonenumber mobile mobilephone photo avatar'.split(
    ' ',
  ),
);

/** A phone number is compared by this many of its last digits, because the country code may be missing. */
const COMPARED_PHONE_DIGITS = 9;
/** Small on purpose, because it is repeated between all digits. */
const PHONE_SEPARATOR = String.raw`[ \u00a0().\/-]{0,3}`;
const NO_LETTER_BEFORE = String.raw`(?<![\p{L}\p{N}])`;
const NO_LETTER_AFTER = String.raw`(?![\p{L}\p{N}])`;
/** A percent-encoded character may stand directly before an address, as in `mailto%3Aada%40acme.com`. */
const ADDRESS_START = String.raw`(?:(?<=%[0-9a-f]{2})|(?<![\p{L}\p{N}._%+-]))`;
const ADDRESS_END = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;
/** An optional country code and trunk prefix, as in `+49 (0) 151`, directly before the compared digits. */
const PHONE_START = String.raw`(?<![0-9])(?:\+?[0-9]{1,4}${PHONE_SEPARATOR}(?:[0-9]{1,2}${PHONE_SEPARATOR})?)?`;
const NEVER_MATCHES = '(?!)';
const POSIX_NEVER_MATCHES = '$.^';

/**
 * Builds a matcher of the terms. Addresses match with any tag (`ada+news@…`) and percent-encoded; phone numbers with any
 * separators and country code; names in both orders, and joined as in `ada.lovelace`. Case is ignored. The expressions
 * are linear: each alternative has a bounded length.
 */
export function createMentionMatcher(terms: PersonalTerms): MentionMatcher {
  const groups: TermGroup[] = [
    { before: ADDRESS_START, terms: terms.emails.map(toEmailTerm), after: ADDRESS_END },
    { before: '', terms: terms.profiles.flatMap(toProfileTerms), after: String.raw`(?![\p{L}\p{N}_-])` },
    { before: PHONE_START, terms: terms.phones.map(toPhoneTerm), after: '(?![0-9])' },
    {
      before: NO_LETTER_BEFORE,
      terms: [...terms.names.flatMap(toNameTerms), ...terms.externalIds.map(toExternalIdTerm)],
      after: NO_LETTER_AFTER,
    },
  ].filter(group => group.terms.length > 0);
  const source =
    groups
      .map(group => `${group.before}(?:${group.terms.map(term => term.source).join('|')})${group.after}`)
      .join('|') || NEVER_MATCHES;
  const posix = groups.flatMap(group => group.terms.map(term => term.posix)).join('|');
  const literals = [...terms.emails, ...terms.profiles, ...terms.externalIds.map(id => id.toLowerCase())];
  const [all, one] = [new RegExp(source, 'giu'), new RegExp(source, 'iu')];
  return {
    prefilter: posix || POSIX_NEVER_MATCHES,
    isMentionedIn: text => one.test(text),
    isPartOf: key => one.test(key) || literals.some(literal => key.toLowerCase().includes(literal)),
    redact: text => text.replace(all, ERASED_MARK),
  };
}

/**
 * Returns a JSON value without mentions. If an object states an identifier of the person as a whole value, as in
 * `{"email": "ada@acme.com", "name": "Ada"}`, its name and phone fields are removed too. Returns the same value if
 * nothing is mentioned.
 */
export function redactJson(matcher: MentionMatcher, value: JsonValue): JsonValue {
  if (typeof value === 'string') return matcher.redact(value);
  if (typeof value === 'number') return matcher.isMentionedIn(String(value)) ? ERASED_MARK : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(item => redactJson(matcher, item));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const fields = Object.entries(value);
  const isAboutPerson = fields.some(([, field]) => typeof field === 'string' && matcher.redact(field) === ERASED_MARK);
  const redacted = fields.map(([name, field]): [string, JsonValue] => {
    const isOwn = isAboutPerson && typeof field === 'string' && PERSON_FIELDS.has(toFieldName(name));
    return [matcher.redact(name), isOwn ? ERASED_MARK : redactJson(matcher, field)];
  });
  const isChanged = redacted.some(([name, field], i) => name !== fields[i]![0] || field !== fields[i]![1]);
  return isChanged ? Object.fromEntries(redacted) : value;
}

function toFieldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function toEmailTerm(email: string): Term {
  const at = email.lastIndexOf('@');
  const [local, host] = [email.slice(0, at), email.slice(at + 1)];
  const tag = local.includes('+') ? '' : String.raw`(?:(?:\+|%2b)[^\s@%]{0,64})?`;
  return {
    source: `${escape(local)}${tag}(?:@|%40)${escape(host)}`,
    posix: `${escapePosix(local)}.{0,70}(@|%40)${escapePosix(host)}`,
  };
}

function toProfileTerms(profile: string): Term[] {
  const [kind, slug] = [profile.slice(0, profile.lastIndexOf('/')), profile.slice(profile.lastIndexOf('/') + 1)];
  const spellings = new Set([slug, decode(slug), encodeURIComponent(decode(slug)).toLowerCase()]);
  return [...spellings].map(spelling => ({
    source: String.raw`linkedin\.com(?:\/|%2f){1,2}${escape(kind)}(?:\/|%2f)${escape(spelling)}`,
    posix: `${escapePosix(kind.split('/').at(-1)!)}(/|%2f)${escapePosix(spelling)}`,
  }));
}

function toPhoneTerm(digits: string): Term {
  const compared = digits.slice(-COMPARED_PHONE_DIGITS).split('');
  return { source: compared.join(PHONE_SEPARATOR), posix: compared.join('[^0-9]{0,4}') };
}

function toNameTerms(name: string): Term[] {
  const words = name.split(/[\s,]+/).filter(word => word !== '');
  const orders = words.length === 2 ? [words, words.toReversed()] : [words];
  const spelled = orders.flatMap(order => [order, order.map(stripAccents)]);
  const unique = new Map(spelled.map(order => [order.join(' '), order]));
  return [...unique.values()].map(order => ({
    source: order.map(escape).join(String.raw`[\s.,_+-]{1,3}`),
    posix: order.map(escapePosix).join('.{1,6}'),
  }));
}

function toExternalIdTerm(id: string): Term {
  return { source: escape(id), posix: escapePosix(id) };
}

function stripAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Escapes a text for PostgreSQL. Characters outside ASCII match any, since the database may not know their case. */
function escapePosix(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll(/[^\0-\x7f]+/g, '.{1,8}');
}
