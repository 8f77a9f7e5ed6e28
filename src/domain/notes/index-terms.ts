import { expand } from '#domain/text/thesaurus.js';
import { wordsOf } from '#domain/text/words.js';
import { stopWords } from '#domain/text/stop-words.js';

/** What a passage is found by: how often it has each token and concept, and how many tokens it has. */
export interface IndexTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** What every passage of a note is found by besides its own text. */
export interface NoteHead {
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** A word that a typing error can be told from. */
const SPELLABLE = /^[a-z]{4,40}$/;

/** What a passage of a note is indexed by: the title, month and year of the note, and its own text. */
export function indexTermsOf(passage: string, { title, date }: NoteHead): IndexTerms {
  const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
  const terms = expand(`${title}\n${month} ${date.slice(0, 4)}\n${passage}`);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

/** The words of a text that a mistyped one may have meant, each once, in one order for everybody. */
export function spellableWords(text: string): string[] {
  const words = wordsOf(text).map(word => word.text);
  return [...new Set(words)].filter(word => SPELLABLE.test(word) && !stopWords.has(word)).toSorted();
}
