import type { QueryTerm } from './bm25.js';
import { stem } from './stem.js';
import { findConceptTokens } from './thesaurus.js';
import { type Token, tokenize, tokenizeQuestion, splitWords } from './words.js';

/** Weight of a concept; a typed word has 1. */
export const CONCEPT_WEIGHT = 0.4;

/** Weight of the requested kind ("which customers"), which hardly distinguishes notes. */
export const KIND_WEIGHT = 0.3;

/** Words after which the kind is named. */
const questionWords = new Set(['which', 'what', 'whose', 'many']);

/** Kinds that nearly all notes are about. */
const kinds: ReadonlySet<string> = new Set(
  `account business buyer call client company contact conversation customer deal document firm lead meeting note
   opportunity organisation organization person prospect team vendor`
    .split(/\s+/)
    .map(stem),
);

/**
 * Builds the terms of a question without duplicates: its words with weight 1, the requested kind with {@link
 * KIND_WEIGHT}, and its concepts with {@link CONCEPT_WEIGHT}. Of nested phrases only the longest counts: "win back"
 * does not mean a closed deal.
 * @param missing tokens that no document has. A concept whose words are all missing replaces them, with weight 1.
 */
export function buildQueryTerms(question: string, missing: ReadonlySet<string> = new Set()): QueryTerm[] {
  return [...weighWords(question), ...weighConcepts(question, missing)].map(([token, weight]) => ({
    token,
    weight,
  }));
}

function weighWords(question: string): Map<string, number> {
  const tokens = tokenizeQuestion(question);
  const kind = findRequestedKind(question);
  const isKindOnly = kind !== undefined && tokens.indexOf(kind) === tokens.lastIndexOf(kind);
  return new Map(tokens.map(token => [token, isKindOnly && token === kind ? KIND_WEIGHT : 1]));
}

/** Finds the first word that names a kind directly after "which", "what", "whose" or "how many". */
function findRequestedKind(question: string): string | undefined {
  const words = splitWords(question).map(word => word.text);
  return words.map(stem).find((word, i) => kinds.has(word) && questionWords.has(words[i - 1] ?? ''));
}

function weighConcepts(question: string, missing: ReadonlySet<string>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { text, start, end } of removeNested(findConceptTokens(question))) {
    const words = tokenize(question.slice(start, end));
    const standsIn = words.length > 0 && words.every(word => missing.has(word));
    weights.set(text, Math.max(weights.get(text) ?? 0, standsIn ? 1 : CONCEPT_WEIGHT));
  }
  return weights;
}

/** Removes phrases nested in a longer one. Linear in the number of phrases, except for sorting. */
function removeNested(phrases: readonly Token[]): Token[] {
  const covering = phrases.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const within = new Set<Token>();
  let [reach, reachBefore] = [-1, -1];
  for (const [i, phrase] of covering.entries()) {
    const before = covering[i - 1];
    const isAnotherSpan = before?.start !== phrase.start || before.end !== phrase.end;
    if (isAnotherSpan) reachBefore = reach;
    if (reachBefore >= phrase.end) within.add(phrase);
    reach = Math.max(reach, phrase.end);
  }
  return phrases.filter(phrase => !within.has(phrase));
}
