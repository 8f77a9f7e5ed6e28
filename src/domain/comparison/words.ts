const MARKS = /\p{M}/gu;
const SEPARATORS = /[^\p{L}\p{N}+#]+/u;
const PLAIN = /^[\u0020-\u007e]*$/;

/**
 * Folds text for comparing words: NFKC, lower case, without diacritics, `ß` as `ss`. Letters that are no accented Latin
 * ones (`ø`, `ł`, `æ`) become the letters that people type for them.
 */
export function foldLetters(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .normalize('NFC');
}

/** Returns the words of a text, folded by {@link foldLetters}. Punctuation separates words, `+` and `#` do not. */
export function toWords(text: string): string[] {
  return foldLetters(text)
    .split(SEPARATORS)
    .filter(word => word !== '');
}

/** A table of phrases: a phrase of several words is found before the words it consists of. */
export interface PhraseTable<T> {
  readonly phrases: ReadonlyMap<string, T>;
  /** Number of words of the longest phrase. */
  readonly longest: number;
}

/** Builds a table from lines `concept: phrase | phrase`. Phrases are folded by {@link foldLetters}. */
export function buildPhraseTable(lines: Readonly<Record<string, string>>): PhraseTable<string> {
  const phrases = new Map<string, string>();
  for (const [concept, line] of Object.entries(lines)) {
    for (const phrase of line.split('|')) phrases.set(toWords(phrase).join(' '), concept);
  }
  return { phrases, longest: Math.max(...[...phrases.keys()].map(phrase => phrase.split(' ').length)) };
}

/** The longest phrase that begins at a word. */
export interface PhraseMatch<T> {
  readonly concept: T;
  readonly length: number;
}

/** Returns the longest phrase of a table that begins at `words[from]`; undefined if there is none. */
export function matchPhrase<T>(
  { phrases, longest }: PhraseTable<T>,
  words: readonly string[],
  from: number,
): PhraseMatch<T> | undefined {
  for (let length = Math.min(longest, words.length - from); length > 0; length -= 1) {
    const concept = phrases.get(length === 1 ? words[from]! : words.slice(from, from + length).join(' '));
    if (concept !== undefined) return { concept, length };
  }
  return undefined;
}
