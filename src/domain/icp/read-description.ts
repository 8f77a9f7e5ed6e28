import type { Json } from '#domain/observation/observation.js';
import { DEPARTMENTS, INDUSTRIES, PLACES, RANKS } from './vocabulary.data.js';

/** A rule as the section `icp` holds it. */
export type RawRule = Readonly<Record<string, Json>>;

/** What was read in words about the ideal customer. */
export interface Described {
  readonly fit: readonly RawRule[];
  readonly pain: readonly RawRule[];
  /** Clauses in which nothing was read. */
  readonly unread: readonly string[];
}

const CLAUSE = /(?<=[.;!?])\s+|\n+/;
const EXCLUDES = /\b(?:not?|never|exclud\w*|except|avoid|without|don't|do not|unless)\b/i;
/** Where what is not wanted begins within a clause. */
const TURN = /(?:,|(?<![\s,]))\s*\b(?=(?:but not|not|except|excluding|exclude|no|never|avoid|without)\b)/i;
const COUNT = String.raw`(\d[\d.,]*\s*(?:k|(?![\d.,\sk])))`;
/** A count that no digit stands before: without it every digit of a long number would be tried as the first. */
const FIRST_COUNT = String.raw`(?<!\d[.,]*)${COUNT}`;
const STAFF = String.raw`\+?\s*(?:employees|people|staff|heads|headcount|ftes?|seats)`;
const RANGE = new RegExp(String.raw`${FIRST_COUNT}\s*(?:-|–|to|and)\s*${COUNT}${STAFF}`, 'i');
const LEAST = new RegExp(String.raw`(?:at least|more than|over|above|from|minimum(?: of)?)\s+${COUNT}${STAFF}`, 'i');
const OPEN = new RegExp(String.raw`${FIRST_COUNT}\+\s*(?:employees|people|staff|ftes?|seats)`, 'i');
const MOST = new RegExp(
  String.raw`(?:up to|under|below|less than|fewer than|at most|maximum(?: of)?)\s+${COUNT}${STAFF}`,
  'i',
);
const USES =
  /\b(?:us(?:e|es|ing)|running|runs|built on)\s+((?:[A-Z][\w.+#-]*(?:\s+[A-Z][\w.+#-]*)?(?:,\s*|\s+(?:and|or)\s+)?)+)/;
/** What one is in charge of: all words behind the first `of`, `in` or `for`. */
const LIST_OF_DEPARTMENTS = /\b(?:of|in|for)\s([\w\s]*)/gi;
const TEAMS = departmentPatterns(
  name => String.raw`\b${name} (?:leaders?|teams?|managers?|directors?|people)\b|\b(?:of|in|for)\s+${name}\b`,
);
/** A department behind others: `of sales and marketing`. */
const LISTED = departmentPatterns(name => String.raw`(?:\w\s+|^\s{2,})(?:and|or)\s+${name}\b`);
const PAIN =
  /\b(?:struggl\w+ with|suffer\w* from|pains?:|problems? (?:with|is|are):?|frustrated (?:by|with))\s+([^.;,]{3,80})/i;

/**
 * Reads sizes, industries, countries, roles, technologies, pains and exclusions from plain words. No model of language
 * is asked: what is not recognised is given back, not guessed.
 */
export function readDescription(text: string): Described {
  const parts = text
    .split(CLAUSE)
    .flatMap(clause => clause.split(TURN))
    .map(part => part.trim());
  const read = parts.filter(part => part !== '').map(part => ({ part, ...readPart(part) }));
  return {
    fit: read.flatMap(({ fit }) => fit),
    pain: read.flatMap(({ pain }) => pain),
    unread: read.flatMap(({ part, fit, pain }) => (fit.length + pain.length === 0 ? [part.slice(0, 120)] : [])),
  };
}

function readPart(part: string): Pick<Described, 'fit' | 'pain'> {
  const pain = PAIN.exec(part)?.[1];
  const wanted = [
    ...sizesIn(part),
    ...industriesIn(part),
    ...placesIn(part),
    ...rolesIn(part),
    ...technologiesIn(part),
  ];
  const fit = EXCLUDES.test(part) ? wanted.map(asExclusion) : wanted;
  return { fit, pain: pain ? [{ match: { keyword: [pain.trim().toLowerCase()] }, p: 0.5 }] : [] };
}

function sizesIn(part: string): RawRule[] {
  const rule = (op: string, value: Json, slack = 0): RawRule[] => [
    { on: 'company', property: 'headcount', op, value, weight: 3, ...(slack > 0 && { slack }) },
  ];
  const range = RANGE.exec(part);
  if (range) {
    const [least, most] = [numberOf(range[1]!), numberOf(range[2]!)];
    return rule('between', [least, most], Math.round((most - least) / 2));
  }
  const least = LEAST.exec(part) ?? OPEN.exec(part);
  const most = MOST.exec(part);
  return [...(least ? rule('gte', numberOf(least[1]!)) : []), ...(most ? rule('lte', numberOf(most[1]!)) : [])];
}

function industriesIn(part: string): RawRule[] {
  const found = Object.values(INDUSTRIES).filter(words => words.some(word => has(part, word)));
  const value = [...new Set(found.flat())];
  return value.length > 0 ? [{ on: 'company', property: 'industry', op: 'contains_any', value, weight: 3 }] : [];
}

function placesIn(part: string): RawRule[] {
  const value = [...new Set(Object.keys(PLACES).flatMap(name => (has(part, name) ? PLACES[name]! : [])))];
  return value.length > 0 ? [{ on: 'company', property: 'country', op: 'in', value, weight: 1 }] : [];
}

/** Whom one talks to: a rank, and the part of the company that it is in. */
function rolesIn(part: string): RawRule[] {
  const ranks = Object.keys(RANKS).filter(rank => RANKS[rank]!.test(part));
  const lists = [...part.matchAll(LIST_OF_DEPARTMENTS)].map(([, list]) => list!);
  const words = Object.keys(DEPARTMENTS).flatMap(name =>
    TEAMS[name]!.test(part) || lists.some(list => LISTED[name]!.test(list)) ? DEPARTMENTS[name]! : [],
  );
  const title = { on: 'person', property: 'title', op: 'contains_any', value: words, weight: 3 };
  return [
    ...(ranks.length > 0 ? [{ on: 'person', property: 'seniority', op: 'in', value: ranks, weight: 2 }] : []),
    ...(words.length > 0 ? [title] : []),
  ];
}

function departmentPatterns(sourceOf: (name: string) => string): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(Object.keys(DEPARTMENTS).map(name => [name, new RegExp(sourceOf(name), 'i')]));
}

function technologiesIn(part: string): RawRule[] {
  const value = (USES.exec(part)?.[1] ?? '')
    .split(/,\s*|(?<!\s)\s+(?:and|or)\s+/)
    .map(name => name.trim())
    .filter(Boolean);
  return value.length > 0 ? [{ on: 'company', property: 'technologies', op: 'contains_any', value, weight: 2 }] : [];
}

function asExclusion({ weight: _weight, slack: _slack, ...rule }: RawRule): RawRule {
  return { ...rule, disqualify: true };
}

/** Patterns of each word of the vocabulary, made once: a description has thousands of clauses. */
const BEGINNINGS = wordPatterns(word => String.raw`(?<![\w-])${word}`);
const WHOLE_WORDS = wordPatterns(word => String.raw`\b${word}\b`);

function wordPatterns(sourceOf: (word: string) => string): ReadonlyMap<string, RegExp> {
  const words = [...Object.values(INDUSTRIES).flat(), ...Object.keys(PLACES)];
  return new Map(words.map(word => [word, new RegExp(sourceOf(word), 'i')]));
}

function has(text: string, word: string): boolean {
  return BEGINNINGS.get(word)!.test(text) && (word.length > 3 || WHOLE_WORDS.get(word)!.test(text));
}

function numberOf(text: string): number {
  const digits = Number(
    text
      .replace(/k/i, '')
      .replace(/[.,](?=\d{3}\b)/g, '')
      .replace(',', '.')
      .trim(),
  );
  return /k/i.test(text) ? digits * 1000 : digits;
}
