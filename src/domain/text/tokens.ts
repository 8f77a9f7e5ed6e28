import { stem } from './stem.js';
import { stopWords } from './stop-words.js';
import { type Word, splitWords } from './words.js';

/** A search token: `text` is the stem of a word. */
export type Token = Word;

/**
 * Returns the search tokens of a text in order: folded (lower case, no accents), lightly stemmed, without stop words,
 * repeats included. Deterministic, so tokens may be stored.
 */
export function tokenize(text: string): string[] {
  return tokenizeWithSpans(text).map(token => token.text);
}

/** Returns the tokens of a text with their positions. */
export function tokenizeWithSpans(text: string): Token[] {
  return splitWords(text)
    .filter(word => !stopWords.has(word.text))
    .map(word => ({ ...word, text: stem(word.text) }));
}

/** Returns the tokens of a question. If it has only stop words, returns those, so that every question has terms. */
export function tokenizeQuestion(question: string): string[] {
  const tokens = tokenize(question);
  return tokens.length > 0 ? tokens : splitWords(question).map(word => stem(word.text));
}
