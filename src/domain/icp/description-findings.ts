import { COUNTRY_NAMES } from '../comparison/countries.js';
import { INDUSTRY_WORDS } from '../comparison/industries.js';
import type { RawRule } from './compose-model.js';
import { readRole } from './description-roles.js';
import { findSizes } from './description-sizes.js';
import { PhraseIndex, PlacedWords } from './description-tokens.js';
import { AMBIGUOUS_COUNTRIES, REGIONS } from './vocabulary.data.js';

/** Something that a part of a description says. */
export interface Finding {
  /** Place in the text. */
  readonly start: number;
  readonly end: number;
  /** Whether it names a kind of company or person, or narrows one: `agencies` in `agencies in Spain`. */
  readonly kind: 'head' | 'modifier';
  /** What must hold together: `heads of sales` is a rank and a function. */
  readonly conditions: readonly RawRule[];
}

/** Some words of a description that say something. */
export interface WordMatch {
  /** Number of words. */
  readonly length: number;
  readonly kind: Finding['kind'];
  readonly conditions: readonly RawRule[];
}

const industries = new PhraseIndex(INDUSTRY_WORDS);
const regions = new PhraseIndex(Object.fromEntries(Object.entries(REGIONS).map(([name, { words }]) => [name, words])));
const countries = new PhraseIndex(
  Object.fromEntries(Object.entries(COUNTRY_NAMES).map(([code, names]) => [code, listLongNames(names)])),
);

/** Codes of three letters are left out, because many are words (`are`, `and`, `can`). */
function listLongNames(names: string): string {
  const all = names.split('|').map(name => name.trim());
  return all.filter(name => name.length > 3 && !AMBIGUOUS_COUNTRIES.has(name)).join('|');
}

/** Short names of countries that count only in capitals. */
const SHORT_COUNTRIES: ReadonlySet<string> = new Set(['US', 'USA', 'UK', 'UAE']);

/** Names of tools behind `use`; capitals tell them from other words. */
const TOOL = String.raw`[A-Z][\w.+#-]{0,40}(?: [A-Z][\w.+#-]{0,40}){0,2}`;
const TOOLS = new RegExp(
  String.raw`\b(?:us(?:e|es|ing)|running|runs|built on|powered by|customers of|[Ww]ithout) (${TOOL}(?:(?:, ?| (?:and|or|nor) )${TOOL}){0,10})`,
  'g',
);
const TOOL_SEPARATOR = /, ?| (?:and|or|nor) /;

/**
 * Finds what a part of a description says: sizes, tools in use, titles, ranks, functions, industries, regions and
 * countries, in the order of the text. No words are read twice.
 * @param text with single spaces.
 * @param isExclusion whether the part says what is not wanted.
 */
export function findConditions(text: string, isExclusion: boolean): Finding[] {
  const isRead = new Uint8Array(text.length);
  const found: Finding[] = [];
  const add = (finding: Finding) => {
    if (isRead.subarray(finding.start, finding.end).includes(1)) return;
    isRead.fill(1, finding.start, finding.end);
    found.push(finding);
  };
  for (const size of findSizes(text, isExclusion)) add(size);
  for (const tools of findTools(text)) add(tools);
  const words = new PlacedWords(text);
  let outside = -1;
  for (let at = 0; at < words.words.length;) {
    const match = readRole(words, at) ?? readIndustry(words, at) ?? readPlace(words, at, outside);
    if (match && isOutside(match)) outside = at + match.length;
    if (match) {
      const { length, kind, conditions } = match;
      add({ start: words.places[at]!.start, end: words.places[at + length - 1]!.end, kind, conditions });
    }
    at += match?.length ?? 1;
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function readIndustry(words: PlacedWords, at: number): WordMatch | undefined {
  const match = words.match(industries, at);
  if (!match) return undefined;
  const value = [words.quote(at, match.length)];
  return {
    length: match.length,
    kind: 'head',
    conditions: [{ on: 'company', property: 'industry', op: 'contains_any', value }],
  };
}

/** @param outside where the latest place ended that lies behind `outside`; what is listed after it is outside as well. */
function readPlace(words: PlacedWords, at: number, outside: number): WordMatch | undefined {
  const [length, value] = readCountries(words, at) ?? [];
  if (length === undefined || value === undefined) return undefined;
  const before = words.words.slice(Math.max(0, at - 3), at);
  const isListed = outside >= 0 && words.words.slice(outside, at).every(word => JOINS.has(word));
  const op = before.includes('outside') || isListed ? 'not_in' : 'in';
  return { length, kind: 'modifier', conditions: [{ on: 'company', property: 'country', op, value: [...value] }] };
}

const JOINS: ReadonlySet<string> = new Set(['and', 'or', 'nor']);

function isOutside({ conditions }: WordMatch): boolean {
  return conditions[0]!['op'] === 'not_in';
}

function readCountries(words: PlacedWords, at: number): readonly [number, readonly string[]] | undefined {
  const region = words.match(regions, at);
  if (region) return [region.length, REGIONS[region.concept]!.countries];
  const short = words.quote(at, 1);
  if (SHORT_COUNTRIES.has(short)) return [1, [short]];
  const country = words.match(countries, at);
  if (!country || !(words.places[at]!.isCapitalised || isAfterPreposition(words, at))) return undefined;
  return [country.length, [words.quote(at, country.length).replace(/^the /i, '')]];
}

const PREPOSITIONS: ReadonlySet<string> = new Set('in from of across within outside the and or'.split(' '));

function isAfterPreposition({ words }: PlacedWords, at: number): boolean {
  return at > 0 && PREPOSITIONS.has(words[at - 1]!);
}

function findTools(text: string): Finding[] {
  return [...text.matchAll(TOOLS)].map(({ 0: all, 1: list, index }) => {
    const value = list!.split(TOOL_SEPARATOR).map(name => name.replace(/[.,;:-]$/, ''));
    const condition = { on: 'company', property: 'technologies', op: 'contains_any', value };
    return { start: index, end: index + all.length, kind: 'modifier', conditions: [condition] };
  });
}
