import type { JsonValue } from '../observation/observation.js';
import { DEPARTMENTS, INDUSTRIES, PLACES, RANKS } from './vocabulary.data.js';

/** A rule in the format of the section `icp`. */
export type RawRule = Readonly<Record<string, JsonValue>>;

/** Rules parsed from a description of the ideal customer. */
export interface IcpDescription {
  readonly fit: readonly RawRule[];
  readonly pain: readonly RawRule[];
  /** Clauses without a recognised rule. */
  readonly unread: readonly string[];
}

const CLAUSE = /(?<=[.;!?])\s+|\n+/;
const EXCLUDES = /\b(?:not?|never|exclud\w*|except|avoid|without|don't|do not|unless)\b/i;
/** Start of an exclusion within a clause. */
const EXCLUSION_START = /(?:,|(?<![\s,]))\s*\b(?=(?:but not|not|except|excluding|exclude|no|never|avoid|without)\b)/i;
const COUNT = String.raw`(\d[\d.,]*\s*(?:k|(?![\d.,\sk])))`;
/** A count without a digit before it: otherwise every digit of a long number would be tried as the first. */
const FIRST_COUNT = String.raw`(?<!\d[.,]*)${COUNT}`;
const HEADCOUNT_UNIT = String.raw`\+?\s*(?:employees|people|staff|heads|headcount|ftes?|seats)`;
const RANGE = new RegExp(String.raw`${FIRST_COUNT}\s*(?:-|–|to|and)\s*${COUNT}${HEADCOUNT_UNIT}`, 'i');
const AT_LEAST = new RegExp(
  String.raw`(?:at least|more than|over|above|from|minimum(?: of)?)\s+${COUNT}${HEADCOUNT_UNIT}`,
  'i',
);
const OPEN_RANGE = new RegExp(String.raw`${FIRST_COUNT}\+\s*(?:employees|people|staff|ftes?|seats)`, 'i');
const AT_MOST = new RegExp(
  String.raw`(?:up to|under|below|less than|fewer than|at most|maximum(?: of)?)\s+${COUNT}${HEADCOUNT_UNIT}`,
  'i',
);
const USES =
  /\b(?:us(?:e|es|ing)|running|runs|built on)\s+((?:[A-Z][\w.+#-]*(?:\s+[A-Z][\w.+#-]*)?(?:,\s*|\s+(?:and|or)\s+)?)+)/;
/** The words after the first `of`, `in` or `for`, which may list departments. */
const LIST_OF_DEPARTMENTS = /\b(?:of|in|for)\s([\w\s]*)/gi;
const TEAMS = departmentPatterns(
  name => String.raw`\b${name} (?:leaders?|teams?|managers?|directors?|people)\b|\b(?:of|in|for)\s+${name}\b`,
);
/** A department later in a list: `of sales and marketing`. */
const LISTED = departmentPatterns(name => String.raw`(?:\w\s+|^\s{2,})(?:and|or)\s+${name}\b`);
const PAIN =
  /\b(?:struggl\w+ with|suffer\w* from|pains?:|problems? (?:with|is|are):?|frustrated (?:by|with))\s+([^.;,]{3,80})/i;

/**
 * Parses sizes, industries, countries, roles, technologies, pains and exclusions from plain text, without a language
 * model. Unrecognised clauses are returned, not guessed.
 */
export function parseDescription(text: string): IcpDescription {
  const parts = text
    .split(CLAUSE)
    .flatMap(clause => clause.split(EXCLUSION_START))
    .map(part => part.trim());
  const read = parts.filter(part => part !== '').map(part => ({ part, ...parseClause(part) }));
  return {
    fit: read.flatMap(({ fit }) => fit),
    pain: read.flatMap(({ pain }) => pain),
    unread: read.flatMap(({ part, fit, pain }) => (fit.length + pain.length === 0 ? [part.slice(0, 120)] : [])),
  };
}

function parseClause(part: string): Pick<IcpDescription, 'fit' | 'pain'> {
  const pain = PAIN.exec(part)?.[1];
  const wanted = [
    ...parseHeadcount(part),
    ...parseIndustries(part),
    ...parseCountries(part),
    ...parseRoles(part),
    ...parseTechnologies(part),
  ];
  const fit = EXCLUDES.test(part) ? wanted.map(toExclusion) : wanted;
  return { fit, pain: pain ? [{ match: { keyword: [pain.trim().toLowerCase()] }, p: 0.5 }] : [] };
}

function parseHeadcount(part: string): RawRule[] {
  const rule = (op: string, value: JsonValue, slack = 0): RawRule[] => [
    { on: 'company', property: 'headcount', op, value, weight: 3, ...(slack > 0 && { slack }) },
  ];
  const range = RANGE.exec(part);
  if (range) {
    const [least, most] = [parseHeadcountNumber(range[1]!), parseHeadcountNumber(range[2]!)];
    return rule('between', [least, most], Math.round((most - least) / 2));
  }
  const least = AT_LEAST.exec(part) ?? OPEN_RANGE.exec(part);
  const most = AT_MOST.exec(part);
  return [
    ...(least ? rule('gte', parseHeadcountNumber(least[1]!)) : []),
    ...(most ? rule('lte', parseHeadcountNumber(most[1]!)) : []),
  ];
}

function parseIndustries(part: string): RawRule[] {
  const found = Object.values(INDUSTRIES).filter(words => words.some(word => containsWord(part, word)));
  const value = [...new Set(found.flat())];
  return value.length > 0 ? [{ on: 'company', property: 'industry', op: 'contains_any', value, weight: 3 }] : [];
}

function parseCountries(part: string): RawRule[] {
  const value = [...new Set(Object.keys(PLACES).flatMap(name => (containsWord(part, name) ? PLACES[name]! : [])))];
  return value.length > 0 ? [{ on: 'company', property: 'country', op: 'in', value, weight: 1 }] : [];
}

/** Parses the rank and department of buyers. */
function parseRoles(part: string): RawRule[] {
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

function parseTechnologies(part: string): RawRule[] {
  const value = (USES.exec(part)?.[1] ?? '')
    .split(/,\s*|(?<!\s)\s+(?:and|or)\s+/)
    .map(name => name.trim())
    .filter(Boolean);
  return value.length > 0 ? [{ on: 'company', property: 'technologies', op: 'contains_any', value, weight: 2 }] : [];
}

function toExclusion({ weight: _weight, slack: _slack, ...rule }: RawRule): RawRule {
  return { ...rule, disqualify: true };
}

/** Patterns of each word of the vocabulary, compiled once, because a description can have thousands of clauses. */
const BEGINNINGS = wordPatterns(word => String.raw`(?<![\w-])${word}`);
const WHOLE_WORDS = wordPatterns(word => String.raw`\b${word}\b`);

function wordPatterns(sourceOf: (word: string) => string): ReadonlyMap<string, RegExp> {
  const words = [...Object.values(INDUSTRIES).flat(), ...Object.keys(PLACES)];
  return new Map(words.map(word => [word, new RegExp(sourceOf(word), 'i')]));
}

function containsWord(text: string, word: string): boolean {
  return BEGINNINGS.get(word)!.test(text) && (word.length > 3 || WHOLE_WORDS.get(word)!.test(text));
}

function parseHeadcountNumber(text: string): number {
  const digits = Number(
    text
      .replace(/k/i, '')
      .replace(/[.,](?=\d{3}\b)/g, '')
      .replace(',', '.')
      .trim(),
  );
  return /k/i.test(text) ? digits * 1000 : digits;
}
