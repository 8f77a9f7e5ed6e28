import { expandTokens } from '#domain/text/thesaurus.js';
import { splitWords } from '#domain/text/words.js';
import { stopWords } from '#domain/text/stop-words.js';

/** Index terms of a passage: the count of each token and concept, and the number of tokens. */
export interface IndexTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Indexed with every passage of a note besides its own text. */
export interface NoteHeader {
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Words for which typing errors can be recognised. */
const SPELLABLE = /^[a-z]{4,40}$/;

/** Builds the index terms of a passage from the title, month and year of the note, and its own text. */
export function buildIndexTerms(passage: string, { title, date }: NoteHeader): IndexTerms {
  const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
  const terms = expandTokens(`${title}\n${month} ${date.slice(0, 4)}\n${passage}`);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** Returns the words of a text to which typing errors can be corrected, sorted and without duplicates. */
export function listSpellableWords(text: string): string[] {
  const words = splitWords(text).map(word => word.text);
  return [...new Set(words)].filter(word => SPELLABLE.test(word) && !stopWords.has(word)).toSorted();
}
