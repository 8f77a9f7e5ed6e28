import { expandTokens } from '#domain/text/thesaurus.js';
import { splitWords } from '#domain/text/words.js';
import { stopWords } from '#domain/text/stop-words.js';

/** What a passage is found by: how often it has each token and concept, and how many tokens it has. */
export interface IndexTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** What every passage of a note is found by besides its own text. */
export interface NoteHeader {
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** A word that a typing error can be told from. */
const SPELLABLE = /^[a-z]{4,40}$/;

/** What a passage of a note is indexed by: the title, month and year of the note, and its own text. */
export function buildIndexTerms(passage: string, { title, date }: NoteHeader): IndexTerms {
  const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
  const terms = expandTokens(`${title}\n${month} ${date.slice(0, 4)}\n${passage}`);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** The words of a text that a mistyped one may have meant, each once, in one order for everybody. */
export function listSpellableWords(text: string): string[] {
  const words = splitWords(text).map(word => word.text);
  return [...new Set(words)].filter(word => SPELLABLE.test(word) && !stopWords.has(word)).toSorted();
}
