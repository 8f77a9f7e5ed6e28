import { FUNCTION_WORDS, WHOLE_TITLES } from '../comparison/titles.data.js';
import type { RawRule } from './compose-model.js';
import type { WordMatch } from './description-findings.js';
import { PhraseIndex, type PlacedWords } from './description-tokens.js';
import { RANK_NOUNS, TEAM_NOUNS } from './vocabulary.data.js';

const functions = new PhraseIndex(FUNCTION_WORDS);
const wholeTitles = new PhraseIndex(WHOLE_TITLES);
const ranks = new PhraseIndex(RANK_NOUNS);
const teams = new PhraseIndex({ team: TEAM_NOUNS });

const JOINS: ReadonlySet<string> = new Set(['and', 'or', 'nor']);
const OF: ReadonlySet<string> = new Set(['of', 'for', 'in', 'from']);
const MAX_ABBREVIATION_LENGTH = 5;
/** Maximum number of functions of one role. */
const MAX_FUNCTIONS = 10;
const JOINING_PUNCTUATION = /[,/&]/;

/** Reads a role: `CFOs`, `heads of sales and marketing`, `IT directors`, `people in finance`, `founders`. */
export function readRole(words: PlacedWords, at: number): WordMatch | undefined {
  const whole = words.match(wholeTitles, at) ?? matchChief(words, at);
  if (!whole) return readRankFirst(words, at) ?? readFunctionFirst(words, at);
  return toRole(whole.length, [titleCondition([nameTitle(words, at, whole.length)])]);
}

function readRankFirst(words: PlacedWords, at: number): WordMatch | undefined {
  const rank = words.match(ranks, at);
  const length = (rank ?? words.match(teams, at))?.length;
  if (length === undefined) return undefined;
  const of = OF.has(words.words[at + length] ?? '') ? 1 : 0;
  const isNamed = of === 1 || (rank !== undefined && isAdjacent(words, at + length));
  const list = isNamed ? readFunctions(words, at + length + of) : undefined;
  if (!list) return rank && toRole(length, [rankCondition(rank.concept)]);
  const title = titleCondition(list.names);
  return toRole(length + of + list.length, rank ? [rankCondition(rank.concept), title] : [title]);
}

function readFunctionFirst(words: PlacedWords, at: number): WordMatch | undefined {
  const list = readFunctions(words, at);
  if (!list || !isAdjacent(words, at + list.length)) return undefined;
  const title = titleCondition(list.names);
  const rank = words.match(ranks, at + list.length);
  if (rank) return toRole(list.length + rank.length, [rankCondition(rank.concept), title]);
  const team = words.match(teams, at + list.length);
  return team && toRole(list.length + team.length, [title]);
}

/** Reads functions that are joined by commas, `and` or `or`. */
function readFunctions(words: PlacedWords, at: number): { names: string[]; length: number } | undefined {
  const names: string[] = [];
  let next = at;
  while (names.length < MAX_FUNCTIONS) {
    const join = names.length > 0 && JOINS.has(words.words[next] ?? '') ? 1 : 0;
    const match = words.match(functions, next + join);
    if (!match || (names.length > 0 && join === 0 && !isJoinedByPunctuation(words, next))) break;
    names.push(words.quote(next + join, match.length));
    next += join + match.length;
  }
  return names.length > 0 ? { names, length: next - at } : undefined;
}

/** Matches `chief risk officer`: an officer of something that is no function of the table. */
function matchChief(words: PlacedWords, at: number): { readonly length: number } | undefined {
  if (words.words[at] !== 'chief') return undefined;
  const officer = [2, 3].find(offset => words.singular(at + offset, 1) === 'officer');
  return officer === undefined ? undefined : { length: officer + 1 };
}

/** Names a title as it is shown: abbreviations in capitals, others as they are written, without the ending of a plural. */
function nameTitle(words: PlacedWords, at: number, length: number): string {
  const title = words.singular(at, length);
  if (length > 1) return title;
  return title.length <= MAX_ABBREVIATION_LENGTH ? title.toUpperCase() : words.quote(at, 1);
}

/** Returns whether nothing but a space separates a word from the one before it. */
function isAdjacent({ text, places }: PlacedWords, at: number): boolean {
  return at < places.length && text.slice(places[at - 1]!.end, places[at]!.start).trim() === '';
}

function isJoinedByPunctuation({ text, places }: PlacedWords, at: number): boolean {
  return JOINING_PUNCTUATION.test(text.slice(places[at - 1]!.end, places[at]!.start));
}

function toRole(length: number, conditions: readonly RawRule[]): WordMatch {
  return { length, kind: 'head', conditions };
}

function rankCondition(rank: string): RawRule {
  return { on: 'person', property: 'seniority', op: 'in', value: [rank] };
}

function titleCondition(names: readonly string[]): RawRule {
  return { on: 'person', property: 'title', op: 'contains_any', value: [...names] };
}
