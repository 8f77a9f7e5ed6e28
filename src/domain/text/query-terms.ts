import type { QueryTerm } from './bm25.js';
import { stem } from './stem.js';
import { findConceptTokens } from './thesaurus.js';
import { type Token, tokenize, tokenizeQuestion } from './tokens.js';
import { splitWords } from './words.js';

/** What a concept counts beside a word that was typed (1). */
export const CONCEPT_WEIGHT = 0.4;

/** What the kind of thing counts that is asked for ("which customers"): it tells notes apart hardly better than "who". */
export const KIND_WEIGHT = 0.3;

/** Words behind which the kind of thing is named. */
const questionWords = new Set(['which', 'what', 'whose', 'many']);

/** What notes are about and kept on, all of them. */
const kinds: ReadonlySet<string> = new Set(
  `account business buyer call client company contact conversation customer deal document firm lead meeting note
   opportunity organisation organization person prospect team vendor`
    .split(/\s+/)
    .map(stem),
);

/**
 * What a question asks for, each once: its words with weight 1, the kind of thing that it asks for with
 * {@link KIND_WEIGHT}, and its concepts with {@link CONCEPT_WEIGHT}. Of phrases within one another the longest is
 * meant: who asks for "win back" asks for no closed deal.
 * @param missing tokens that no document has. A concept all of whose words are missing stands in for them, with weight 1.
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

/** The first word of the question that names a kind right behind "which", "what", "whose" or "how many". */
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

/** Without the phrases that stand within a longer one. Takes time in proportion to the phrases, but for sorting them. */
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
