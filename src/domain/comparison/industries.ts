import { buildPhraseTable, matchPhrase, toWords } from './words.js';
import { INDUSTRY_WORDS } from './industries.data.js';

const table = buildPhraseTable(INDUSTRY_WORDS);
const MAX_INDUSTRY_TEXT = 300;

/** Returns the industries that a text names, in eight languages: whole words, never parts of them. */
export function findIndustries(text: string): Set<string> {
  const words = toWords(text.slice(0, MAX_INDUSTRY_TEXT));
  const found = new Set<string>();
  for (let i = 0; i < words.length;) {
    const match = matchPhrase(table, words, i);
    if (match) found.add(match.concept);
    i += match?.length ?? 1;
  }
  return found;
}
