import { editDistance } from '../text/spelling.js';
import { withoutLegalForms, areNicknames, MAX_NAME_WORDS, splitName, toIndexedWord } from './names.js';
import type { EntityType } from './types.js';

/** What is known of an entity that may be the same as another. */
export interface LikenessSide {
  readonly type: EntityType;
  readonly name: string | null;
  /** Canonical keys of e-mail addresses. */
  readonly emails: readonly string[];
  /** Canonical keys of LinkedIn pages. */
  readonly linkedins: readonly string[];
  readonly phones: readonly string[];
  /** Canonical id of the company of a person; null if unknown. */
  readonly employer: string | null;
  /** Domains of a company. */
  readonly domains: readonly string[];
}

/** A property that two entities were compared by. */
export type LikenessField = 'name' | 'email' | 'phone' | 'linkedin' | 'employer' | 'domain';

/** One comparison, and how much it speaks for the two being the same. */
export interface LikenessPart {
  readonly field: LikenessField;
  readonly agreement: string;
  /** log2 of m / u: positive for, negative against. */
  readonly weight: number;
}

/** How likely it is that two entities are the same. */
export interface Likeness {
  /** Probability, 0 to 1, rounded to four decimals. */
  readonly score: number;
  readonly parts: readonly LikenessPart[];
  /** Whether the evidence suffices to ask somebody. It never suffices to merge. */
  readonly isProposed: boolean;
}

/** Minimum score of a proposal. */
export const MIN_LIKENESS = 0.9;
/** Maximum number of edits between the local parts of two addresses that are compared as a typing error. */
const MAX_LOCAL_EDITS = 3;
/** Share of the local part that may be edited. */
const MAX_EDITED_SHARE = 0.3;
/** Shorter local parts, such as initials, are too similar to each other for an edit to be a typing error. */
const MIN_LOCAL_LENGTH = 6;
const MIN_WORD_LENGTH = 4;
/** Longer words are no names, and the distance of two takes time with the square of their length. */
const MAX_WORD_LENGTH = 64;
const MIN_PHONE_DIGITS = 7;
/** Digits of a phone number without country and trunk code. */
const SUBSCRIBER_DIGITS = 9;
/** Share of the pairs with something in common that are the same entity. */
const PRIOR = 0.0005;

/** Probability of an agreement among pairs that are the same (m) and among pairs that are not (u). */
type Rates = readonly [m: number, u: number];

const RATES = {
  person: {
    name: { same: [0.75, 0.0005], 'nickname, initial or typing error': [0.15, 0.001], different: [0.03, 0.99] },
    email: {
      'typing error': [0.2, 0.0005],
      'both made of the name': [0.3, 0.003],
      'same before the @': [0.3, 0.05],
      'different at one domain': [0.1, 0.98],
    },
    phone: { same: [0.5, 0.0005] },
    linkedin: { different: [0.02, 0.999] },
    employer: { same: [0.7, 0.01], different: [0.3, 0.99] },
  },
  company: {
    name: { same: [0.8, 0.0005], 'typing error': [0.1, 0.002], different: [0.1, 0.99] },
    domain: { 'same before the ending': [0.3, 0.0005], 'made of the name': [0.6, 0.002], different: [0.5, 0.99] },
    phone: { same: [0.5, 0.0005] },
    linkedin: { different: [0.02, 0.999] },
  },
} as const satisfies Record<EntityType, Partial<Record<LikenessField, Readonly<Record<string, Rates>>>>>;

/** Agreements without which no pair is proposed: a phone or an employer is shared by many. */
const NECESSARY: ReadonlySet<string> = new Set([
  'name same',
  'name nickname, initial or typing error',
  'name typing error',
  'email typing error',
  'domain same before the ending',
]);

/**
 * Computes how likely it is that two entities of one type are the same: log2 of the prior odds plus the weights
 * log2(m / u) of each agreement or disagreement, as a probability. What one side lacks counts nothing. Fellegi and
 * Sunter, "A Theory for Record Linkage", Journal of the American Statistical Association 64 (1969), pages 1183 to 1210.
 * The rates m and u are estimates by hand for pairs that share a block, not learnt.
 */
export function computeLikeness(one: LikenessSide, other: LikenessSide): Likeness {
  const parts = one.type === other.type ? comparePair(one, other) : [];
  const odds = parts.reduce((sum, { weight }) => sum + weight, Math.log2(PRIOR / (1 - PRIOR)));
  const score = Math.round(10_000 / (1 + 2 ** -odds)) / 10_000;
  const isPossible = parts.some(({ field, agreement }) => NECESSARY.has(`${field} ${agreement}`));
  const isExcluded = parts.some(
    ({ field, agreement }) => field !== 'employer' && agreement === 'different' && field !== 'domain',
  );
  return { score, parts, isProposed: isPossible && !isExcluded && score >= MIN_LIKENESS };
}

/** Returns what two entities agree and differ in, as part of a sentence. */
export function describeLikeness(parts: readonly LikenessPart[]): string {
  return parts.map(({ field, agreement }) => `${field} ${agreement}`).join(', ');
}

function comparePair(one: LikenessSide, other: LikenessSide): LikenessPart[] {
  const rates: Partial<Record<LikenessField, Readonly<Record<string, Rates>>>> = RATES[one.type];
  const found: [LikenessField, string | undefined][] =
    one.type === 'person'
      ? [
          ['name', compareNames(one.name, other.name)],
          ['email', compareEmails(one, other)],
          ['employer', compareEmployers(one.employer, other.employer)],
        ]
      : [
          ['name', compareCompanyNames(one.name, other.name)],
          ['domain', compareDomains(one, other)],
        ];
  found.push(['phone', comparePhones(one.phones, other.phones)], ['linkedin', comparePages(one, other)]);
  return found.flatMap(([field, agreement]) => {
    const pair = agreement === undefined ? undefined : rates[field]?.[agreement];
    return pair ? [{ field, agreement: agreement!, weight: Math.round(100 * Math.log2(pair[0] / pair[1])) / 100 }] : [];
  });
}

/** Compares names of people. A name of one word says too little to agree; it may still differ. */
function compareNames(one: string | null, other: string | null): string | undefined {
  if (one === null || other === null) return undefined;
  const [words, others] = [comparedWords(one), comparedWords(other)];
  if (words.length === 0 || others.length === 0) return undefined;
  // The order makes the comparison the same in both directions.
  const isFirst =
    words.length < others.length || (words.length === others.length && words.join(' ') <= others.join(' '));
  const [shorter, longer] = isFirst ? [words, others] : [others, words];
  if (shorter.length > 1 && shorter.length === longer.length && shorter.every(word => longer.includes(word)))
    return 'same';
  const rest = [...longer];
  for (const word of shorter) {
    const place = findPartner(word, rest);
    if (place < 0) return 'different';
    rest.splice(place, 1);
  }
  if (shorter.length === 1) return undefined;
  // Of two initials nothing is left that tells families apart.
  const isAnchored = shorter.some(
    word => word.length >= MIN_WORD_LENGTH - 1 && longer.some(each => isTypo(word, each)),
  );
  return isAnchored ? 'nickname, initial or typing error' : undefined;
}

/** Returns the place of the word that fits best, -1 if none does. */
function findPartner(word: string, candidates: readonly string[]): number {
  const same = candidates.indexOf(word);
  if (same >= 0) return same;
  return candidates.findIndex(each => isTypo(word, each) || areNicknames(word, each) || isInitial(word, each));
}

function isInitial(one: string, other: string): boolean {
  return Math.min(one.length, other.length) === 1 && one[0] === other[0];
}

/** Returns whether two words are the same up to one edit that is not at the beginning. */
function isTypo(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.min(one.length, other.length) < MIN_WORD_LENGTH || one[0] !== other[0]) return false;
  return Math.abs(one.length - other.length) <= 1 && editDistance(one, other) <= 1 && haveSameDigits(one, other);
}

/** Returns whether two texts have the same digits in order: a different number is no typing error. */
function haveSameDigits(one: string, other: string): boolean {
  return one.replace(/\D/g, '') === other.replace(/\D/g, '');
}

const EMAIL_LEVELS = ['typing error', 'both made of the name', 'same before the @', 'different at one domain'] as const;

function compareEmails(one: LikenessSide, other: LikenessSide): string | undefined {
  const names = [one.name, other.name].filter(name => name !== null);
  const found = new Set(one.emails.flatMap(email => other.emails.map(each => compareAddresses(email, each, names))));
  return EMAIL_LEVELS.find(level => found.has(level));
}

function compareAddresses(one: string, other: string, names: readonly string[]): string | undefined {
  const [[local, host], [otherLocal, otherHost]] = [splitAddress(one), splitAddress(other)];
  if (local === otherLocal) return isTypo(host, otherHost) ? 'typing error' : 'same before the @';
  if (host !== otherHost) return undefined;
  if (isLocalTypo(local, otherLocal)) return 'typing error';
  if (names.some(name => isMadeOfName(local, name) && isMadeOfName(otherLocal, name))) return 'both made of the name';
  return 'different at one domain';
}

function splitAddress(address: string): [local: string, host: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
}

function isLocalTypo(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  if (length < MIN_LOCAL_LENGTH || one[0] !== other[0] || !haveSameDigits(one, other)) return false;
  if (Math.abs(one.length - other.length) > MAX_LOCAL_EDITS) return false;
  const edits = editDistance(one, other);
  return edits <= Math.min(MAX_LOCAL_EDITS, MAX_EDITED_SHARE * length);
}

/** Returns whether a local part has nothing but words of a name, or their initials, and the last word among them. */
function isMadeOfName(local: string, name: string): boolean {
  const words = splitName(name);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || words.length < 2) return false;
  const bare = local.replace(/[._-]/g, '');
  return [first + last, last + first, first[0]! + last, last + first[0]!, last, first].includes(bare);
}

function compareEmployers(one: string | null, other: string | null): string | undefined {
  if (one === null || other === null) return undefined;
  return one === other ? 'same' : 'different';
}

function comparePhones(one: readonly string[], other: readonly string[]): string | undefined {
  const numbers = new Set(one.map(subscriberNumber).filter(number => number !== undefined));
  return other.some(phone => numbers.has(subscriberNumber(phone)!)) ? 'same' : undefined;
}

function subscriberNumber(phone: string): string | undefined {
  const digits = phone.replace(/\D/g, '');
  return digits.length < MIN_PHONE_DIGITS ? undefined : digits.slice(-SUBSCRIBER_DIGITS);
}

/** Returns `different` if both have pages with a chosen name and share none. */
function comparePages({ linkedins: one }: LikenessSide, { linkedins: other }: LikenessSide): string | undefined {
  const isChosen = (key: string) => /^linkedin\.com\/(in|company)\//.test(key);
  const [pages, others] = [one.filter(isChosen), other.filter(isChosen)];
  if (pages.length === 0 || others.length === 0) return undefined;
  return pages.some(page => others.includes(page)) ? undefined : 'different';
}

function compareCompanyNames(one: string | null, other: string | null): string | undefined {
  if (one === null || other === null) return undefined;
  const [words, others] = [companyWords(one), companyWords(other)];
  if (words.length === 0 || others.length === 0) return undefined;
  if (words.join('') === others.join('')) return 'same';
  const isClose = words.length === others.length && words.every((word, i) => isTypo(word, others[i]!));
  return isClose ? 'typing error' : 'different';
}

function companyWords(name: string): string[] {
  return [...withoutLegalForms(comparedWords(name))];
}

/** Returns the indexed words of a name, without what makes a comparison long: no name has such words, or as many. */
function comparedWords(name: string): string[] {
  const words = splitName(name).map(toIndexedWord);
  return words.filter(word => word.length <= MAX_WORD_LENGTH).slice(0, MAX_NAME_WORDS);
}

function compareDomains(one: LikenessSide, other: LikenessSide): string | undefined {
  const [labels, others] = [one.domains.map(firstLabel), other.domains.map(firstLabel)];
  if (labels.length > 0 && others.length > 0)
    return labels.some(label => others.includes(label)) ? 'same before the ending' : 'different';
  const name = labels.length > 0 ? other.name : one.name;
  if (name === null || labels.length + others.length === 0) return undefined;
  return [...labels, ...others].includes(companyWords(name).join('')) ? 'made of the name' : undefined;
}

function firstLabel(domain: string): string {
  const end = domain.indexOf('.');
  return end < 0 ? domain : domain.slice(0, end);
}
