import { stem } from './stem.js';
import { stopWords } from './stop-words.js';
import { type Word, splitWords } from './words.js';

/** A word of a text as it is searched by: `text` is its stem. */
export type Token = Word;

/**
 * What a text is searched by: its words in their order, folded (small letters, no accents), stemmed lightly, without
 * stop words. Repeats stay. The same text gives the same tokens everywhere, so they may be stored.
 */
export function tokenize(text: string): string[] {
  return tokenizeWithSpans(text).map(token => token.text);
}

/** The tokens of a text with the places where they stand. */
export function tokenizeWithSpans(text: string): Token[] {
  return splitWords(text)
    .filter(word => !stopWords.has(word.text))
    .map(word => ({ ...word, text: stem(word.text) }));
}

/** The tokens of a question: when it has nothing but stop words, those, so that every question asks for something. */
export function tokenizeQuestion(question: string): string[] {
  const tokens = tokenize(question);
  return tokens.length > 0 ? tokens : splitWords(question).map(word => stem(word.text));
}
