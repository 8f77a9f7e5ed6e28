/** A word of a text, folded, with the place where it stands (UTF-16 units, `end` exclusive). */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer runs of letters are no words (keys, encoded blobs); what is behind this is cut off. */
const LONGEST_WORD = 40;

const RUN = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const DENIAL = /^(?:cannot|can['’]t|won['’]t|[a-z]+n['’]t)$/;
/** Scripts that write no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The words of a text in their order, in small letters and without accents. A number is one word (`50,000` is `50000`),
 * a denial such as `don't` is `not`. Runs of a script without blanks come as overlapping pairs of characters.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (UNSPACED.test(run)) words.push(...pairsOf(run, index));
    else pushWord(words, run, index);
  }
  return words;
}

/** Small letters, compatibility forms made plain, accents dropped, ß as ss. */
export function foldWord(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o');
}

function pushWord(words: Word[], run: string, start: number): void {
  const folded = foldWord(run)
    .replace(DENIAL, 'not')
    .replace(/['’]s?/g, '');
  const text = /^\p{N}/u.test(folded) ? folded.replace(/,(?=\p{N}{3})/gu, '') : folded;
  if (text !== '') words.push({ text: cut(text), start, end: start + run.length });
}

/** No cut in the middle of a character. */
function cut(text: string): string {
  return text.length <= LONGEST_WORD
    ? text
    : text
        .slice(0, LONGEST_WORD)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}

function pairsOf(run: string, index: number): Word[] {
  const places: { char: string; start: number }[] = [];
  let start = index;
  for (const char of run) {
    places.push({ char: foldWord(char) || char, start });
    start += char.length;
  }
  if (places.length === 1) return [{ text: places[0]!.char, start: index, end: start }];
  return places.slice(1).map(({ char }, i) => ({
    text: places[i]!.char + char,
    start: places[i]!.start,
    end: places[i + 2]?.start ?? start,
  }));
}
