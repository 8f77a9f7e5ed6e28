import type { Instant } from '../time/instant.js';
import { parseFocus } from './focus.js';
import { nameKey, withoutLegalForms, areNicknames, splitName, toIndexedWord } from './names.js';
import type { EntityType } from './types.js';
import { editDistance } from '../text/spelling.js';

/** An entity that a name may match. */
export interface NamedEntity {
  readonly entity_id: string;
  readonly type: EntityType;
  readonly name: string;
  readonly title: string | null;
  readonly company: string | null;
  readonly domain: string | null;
  readonly email: string | null;
  readonly linkedin_url: string | null;
  readonly last_activity_at: Instant | null;
  readonly score: number | null;
}

/** A match from which a caller can pick. */
export interface NameCandidate extends NamedEntity {
  /** Short description: "VP Sales at Acme". */
  readonly detail: string;
  readonly matched_on: NameMatchKind;
}

/** Narrow down the matches of a name. */
export interface NameHints {
  readonly type?: EntityType;
  /** Name or domain of a company. */
  readonly company?: string;
}

/** Result of matching a name. */
export type NameMatch =
  | { readonly status: 'one'; readonly entity: NamedEntity }
  | {
      readonly status: 'ambiguous';
      readonly query: string;
      readonly count: number;
      readonly candidates: NameCandidate[];
    }
  | { readonly status: 'none' };

const MAX_CANDIDATES = 10;

/**
 * Finds the entities with a name. Only equal keys match; near misses are never picked. Hints narrow the matches,
 * possibly to none. Of several matches, the ten with the newest activity are returned (those without last), then by ID;
 * `count` is the total.
 */
export function matchName(query: string, entities: readonly NamedEntity[], hints: NameHints = {}): NameMatch {
  const key = nameKey(query);
  const belongs = createCompanyTest(hints.company);
  const matches = entities.filter(
    entity => nameKey(entity.name) === key && (!hints.type || entity.type === hints.type) && belongs(entity),
  );
  const [first] = matches;
  if (!first) return { status: 'none' };
  if (matches.length === 1) return { status: 'one', entity: first };
  const candidates = matches
    .toSorted(compareActivity)
    .slice(0, MAX_CANDIDATES)
    .map(entity => toNameCandidate(entity));
  return { status: 'ambiguous', query, count: matches.length, candidates };
}

/** Returns a test whether an entity belongs to a company, or is it; always true without one. */
export function createCompanyTest(company: string | undefined): (entity: NamedEntity) => boolean {
  if (company === undefined) return () => true;
  const focus = parseFocus(company);
  const domain = focus.form === 'domain' ? focus.key : undefined;
  const key = nameKey(company);
  return entity =>
    (domain !== undefined && entity.domain === domain) ||
    [entity.company, entity.type === 'company' ? entity.name : null].some(name => name && nameKey(name) === key);
}

function compareActivity(a: NamedEntity, b: NamedEntity): number {
  const newer = (b.last_activity_at ?? -Infinity) - (a.last_activity_at ?? -Infinity);
  return newer || (a.entity_id < b.entity_id ? -1 : 1);
}

/** Returns an entity as a candidate from which a caller can pick. */
export function toNameCandidate(entity: NamedEntity, matchedOn: NameMatchKind = 'exact'): NameCandidate {
  return { ...entity, detail: describeEntity(entity), matched_on: matchedOn };
}

function describeEntity({ type, title, company, domain, email, linkedin_url }: NamedEntity): string {
  if (title && company) return `${title} at ${company}`;
  return title ?? company ?? domain ?? email ?? linkedin_url ?? type;
}

/**
 * How a name matches a query, best first: `exact` (also with another accent or legal form), `prefix` (the name begins
 * with the query), `part` (each word of the query begins or ends a word of the name, in any order), `nickname`,
 * `company` (the rest of the query names the company), `similar` (with typing errors).
 */
export const NAME_MATCHES = ['exact', 'prefix', 'part', 'nickname', 'company', 'similar'] as const;
export type NameMatchKind = (typeof NAME_MATCHES)[number];

/** A match with its score, 0 to 1. */
export interface RankedName {
  readonly matchedOn: NameMatchKind;
  readonly score: number;
}

/** A query, split once for many names. */
export interface NameQuery {
  readonly key: string;
  readonly words: readonly string[];
  /** The words without those of a legal form. */
  readonly ownWords: readonly string[];
}

/** Scores of the kinds at full coverage: whole words, and all letters of the name. */
const BASE_SCORES: Readonly<Record<NameMatchKind, number>> = {
  exact: 1,
  prefix: 0.9,
  part: 0.8,
  nickname: 0.7,
  company: 0.65,
  similar: 0.55,
};

const MIN_SUFFIX_LENGTH = 3;
const MIN_TYPO_LENGTH = 3;
const MIN_PREFIX_TYPO_LENGTH = 5;
const LONG_WORD_LENGTH = 8;
/** Words of which one may be missing in the name. */
const MIN_WORDS_WITH_EXTRA = 3;

/** Splits a query. */
export function parseNameQuery(text: string): NameQuery {
  const words = splitName(text);
  return { key: nameKey(text), words, ownWords: withoutLegalForms(words) };
}

/** Returns how many edits a word of this length may have to be a typing error of another one. */
export function allowedEdits(length: number): number {
  if (length < MIN_TYPO_LENGTH) return 0;
  return length < LONG_WORD_LENGTH ? 1 : 2;
}

/**
 * Returns how a name matches a query; undefined if it does not.
 * @param company name of the company, for a person.
 */
export function rankName(query: NameQuery, name: string, company: string | null = null): RankedName | undefined {
  if (query.key === nameKey(name)) return { matchedOn: 'exact', score: 1 };
  const words = splitName(name);
  const ownWords = withoutLegalForms(words);
  const wanted = query.ownWords.map(toIndexedWord);
  const own = ownWords.map(toIndexedWord);
  if (wanted.length === 0 || own.length === 0) return undefined;
  if (wanted.join('') === own.join('')) return { matchedOn: 'exact', score: 0.98 };
  const whole = wanted.filter(word => own.includes(word)).length / wanted.length;
  const coverage = (whole + Math.min(1, wanted.join('').length / own.join('').length)) / 2;
  if (startsWith(own, wanted)) return toRanked('prefix', coverage);
  const kind = matchWords(query.ownWords, words, company === null ? [] : splitName(company));
  return kind && toRanked(kind, coverage);
}

function startsWith(own: readonly string[], wanted: readonly string[]): boolean {
  return own.join(' ').startsWith(wanted.join(' ')) || (wanted.length > 1 && own.join('').startsWith(wanted.join('')));
}

function toRanked(matchedOn: NameMatchKind, coverage: number): RankedName {
  return { matchedOn, score: Number((BASE_SCORES[matchedOn] - 0.1 * (1 - coverage)).toFixed(4)) };
}

/** Matches each word of the query with another word of the name; the weakest match decides. */
function matchWords(
  wanted: readonly string[],
  words: readonly string[],
  company: readonly string[],
): NameMatchKind | undefined {
  const open = [...words];
  let weakest: NameMatchKind = 'part';
  let missing = 0;
  let own = 0;
  for (const word of wanted) {
    const [kind, index] = findBest(word, open);
    if (kind) {
      open.splice(index, 1);
      own += 1;
      weakest = weaker(weakest, kind);
    } else if (company.some(other => other.startsWith(word))) weakest = weaker(weakest, 'company');
    else missing += 1;
  }
  if (own === 0) return undefined;
  if (missing === 0) return weakest;
  return missing === 1 && own >= MIN_WORDS_WITH_EXTRA - 1 ? 'similar' : undefined;
}

function findBest(word: string, words: readonly string[]): readonly [NameMatchKind | undefined, number] {
  const kinds = words.map(other => matchWord(word, other));
  const best = NAME_MATCHES.find(kind => kinds.includes(kind));
  return [best, best ? kinds.indexOf(best) : -1];
}

function matchWord(wanted: string, word: string): NameMatchKind | undefined {
  const [one, other] = [toIndexedWord(wanted), toIndexedWord(word)];
  if (other.startsWith(one)) return 'part';
  if (one.length >= MIN_SUFFIX_LENGTH && other.endsWith(one)) return 'part';
  if (areNicknames(wanted, word)) return 'nickname';
  return isTypo(one, other) ? 'similar' : undefined;
}

/** Returns whether a folded word is another one, or the beginning of it, with typing errors. */
export function isTypo(typed: string, word: string): boolean {
  const edits = allowedEdits(typed.length);
  if (edits === 0 || word.length < typed.length - edits) return false;
  if (word.length <= typed.length + edits && editDistance(typed, word) <= edits) return true;
  if (typed.length < MIN_PREFIX_TYPO_LENGTH) return false;
  return [typed.length, typed.length - 1, typed.length + 1].some(
    length => length < word.length && editDistance(typed, word.slice(0, length)) <= edits,
  );
}

function weaker(one: NameMatchKind, other: NameMatchKind): NameMatchKind {
  return NAME_MATCHES.indexOf(one) > NAME_MATCHES.indexOf(other) ? one : other;
}
