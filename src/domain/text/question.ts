import type { QueryTerm } from './bm25.js';
import { stem } from './stem.js';
import { conceptTokensOf } from './thesaurus.js';
import { type Token, tokenize, tokenizeQuestion } from './tokens.js';
import { wordsOf } from './words.js';

/** What a concept counts beside a word that was typed (1). */
export const CONCEPT_WEIGHT = 0.4;

/** What the kind of thing counts that is asked for ("which customers"): it tells notes apart hardly better than "who". */
export const KIND_WEIGHT = 0.3;

/** Words behind which the kind of thing is named. */
const asking = new Set(['which', 'what', 'whose', 'many']);

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
export function queryTermsOf(question: string, missing: ReadonlySet<string> = new Set()): QueryTerm[] {
  return [...weightsOfWords(question), ...weightsOfConcepts(question, missing)].map(([token, weight]) => ({
    token,
    weight,
  }));
}

function weightsOfWords(question: string): Map<string, number> {
  const tokens = tokenizeQuestion(question);
  const kind = kindAskedFor(question);
  const isKind = (token: string) => token === kind && tokens.indexOf(token) === tokens.lastIndexOf(token);
  return new Map(tokens.map(token => [token, isKind(token) ? KIND_WEIGHT : 1]));
}

/** The first word of the question that names a kind right behind "which", "what", "whose" or "how many". */
function kindAskedFor(question: string): string | undefined {
  const words = wordsOf(question).map(word => word.text);
  return words.map(stem).find((word, i) => kinds.has(word) && asking.has(words[i - 1] ?? ''));
}

function weightsOfConcepts(question: string, missing: ReadonlySet<string>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { text, start, end } of longestOf(conceptTokensOf(question))) {
    const words = tokenize(question.slice(start, end));
    const standsIn = words.length > 0 && words.every(word => missing.has(word));
    weights.set(text, Math.max(weights.get(text) ?? 0, standsIn ? 1 : CONCEPT_WEIGHT));
  }
  return weights;
}

/** Without the phrases that stand within a longer one. */
function longestOf(phrases: readonly Token[]): Token[] {
  const isWithin = (one: Token, other: Token) =>
    other.start <= one.start && other.end >= one.end && other.end - other.start > one.end - one.start;
  return phrases.filter(phrase => !phrases.some(other => isWithin(phrase, other)));
}
