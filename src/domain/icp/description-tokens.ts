import { buildPhraseTable, matchPhrase, type PhraseMatch, toSingular, toWords } from '../comparison/canonical-key.js';

/** A table of phrases that is looked up at each word of a text: most words begin no phrase. */
export class PhraseIndex {
  private readonly table;
  private readonly firstWords: ReadonlySet<string>;

  /** @param lines `concept: phrase | phrase`. */
  constructor(lines: Readonly<Record<string, string>>) {
    this.table = buildPhraseTable(lines);
    this.firstWords = new Set([...this.table.phrases.keys()].map(phrase => phrase.split(' ')[0]!));
  }

  /** Returns the longest phrase that begins at `words[from]`; undefined if there is none. */
  match(words: readonly string[], from: number): PhraseMatch<string> | undefined {
    return this.firstWords.has(words[from]!) ? matchPhrase(this.table, words, from) : undefined;
  }
}

/** A word of a text with its place. */
export interface PlacedWord {
  readonly start: number;
  readonly end: number;
  /** Whether the text writes it with a capital. */
  readonly isCapitalised: boolean;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}&+#'’.-]*/gu;
/** A full stop or an apostrophe at the end of a token is punctuation. */
const TRAILING = /[.'’-]$/;
const MAX_TOKEN_LENGTH = 100;

/** A text as folded words with their places. A token such as `e-commerce` gives two words of one place. */
export class PlacedWords {
  readonly places: readonly PlacedWord[];
  readonly words: readonly string[];
  private readonly singulars: readonly string[];

  constructor(readonly text: string) {
    const each = [...text.matchAll(TOKEN)].flatMap(({ 0: raw, index }) => {
      const bare = raw.slice(0, MAX_TOKEN_LENGTH).replace(TRAILING, '');
      const isCapitalised = bare !== '' && bare[0] !== bare[0]!.toLowerCase();
      const place = { start: index, end: index + bare.length, isCapitalised };
      return toWords(bare).map(word => ({ word, place }));
    });
    this.places = each.map(({ place }) => place);
    this.words = each.map(({ word }) => word);
    this.singulars = this.words.map(toSingular);
  }

  /** Returns the longest phrase at a word, also where the text has its plural. */
  match(index: PhraseIndex, at: number): PhraseMatch<string> | undefined {
    if (at >= this.words.length) return undefined;
    const asWritten = index.match(this.words, at);
    const singular = index.match(this.singulars, at);
    return (singular?.length ?? 0) > (asWritten?.length ?? 0) ? singular : asWritten;
  }

  /** Returns some words as the text writes them. */
  quote(at: number, length: number): string {
    return this.text.slice(this.places[at]!.start, this.places[at + length - 1]!.end);
  }

  /** Returns some words, folded and without the endings of plurals. */
  singular(at: number, length: number): string {
    return this.singulars.slice(at, at + length).join(' ');
  }
}
