import { PlacedWords } from './description-tokens.js';
import { GENERIC_WORDS } from './vocabulary.data.js';

const generic: ReadonlySet<string> = new Set(GENERIC_WORDS.split(' '));

/** Returns the part of a text from its first to its last word that says something; undefined if none does. */
export function findContent(text: string): string | undefined {
  const words = new PlacedWords(text);
  const content = words.words.flatMap((word, i) => (generic.has(word) ? [] : [i]));
  const [first] = content;
  return first === undefined ? undefined : words.quote(first, content.at(-1)! - first + 1);
}
