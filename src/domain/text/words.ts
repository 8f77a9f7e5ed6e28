/** A folded word of a text, with its position (UTF-16 units, `end` exclusive). */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer runs are not words (keys, encoded blobs) and are truncated. */
const MAX_WORD_LENGTH = 40;

const RUN = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const NEGATION = /^(?:cannot|can['’]t|won['’]t|[a-z]+n['’]t)$/;
/** Words that only need lower-casing. Most are, and folding dominates the cost of reading a text. */
const PLAIN = /^[a-z0-9]+$/i;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Returns the words of a text in order, in lower case and without accents. A number is one word (`50,000` is `50000`),
 * a negation such as `don't` is `not`. Runs of scripts without spaces become overlapping pairs of characters.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!PLAIN.test(run) && UNSPACED.test(run)) words.push(...splitBigrams(run, index));
    else pushWord(words, run, index);
  }
  return words;
}

/** Letters that Unicode does not decompose, but that people type without their marks. */
const letterFolds = new Map(
  Object.entries({ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ı: 'i', ς: 'σ' }),
);
const LETTER_FOLD_PATTERN = new RegExp(`[${[...letterFolds.keys()].join('')}]`, 'gu');

/**
 * Folds a word: lower case, compatibility forms decomposed, accents removed, letters such as ß and ø as people type
 * them.
 */
export function normalizeWord(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  const small = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return small.replace(LETTER_FOLD_PATTERN, letter => letterFolds.get(letter)!);
}

function pushWord(words: Word[], run: string, start: number): void {
  const text = truncateWord(toIndexWord(run));
  if (text !== '') words.push({ text, start, end: start + run.length });
}

function toIndexWord(run: string): string {
  const word = normalizeWord(run);
  if (NEGATION.test(word)) return 'not';
  if (PLAIN.test(word)) return word;
  const folded = word.replace(/['’]s?/g, '');
  return /^\p{N}/u.test(folded) ? folded.replace(/,(?=\p{N}{3})/gu, '') : folded;
}

/** Never cuts within a character. */
function truncateWord(text: string): string {
  return text.length <= MAX_WORD_LENGTH
    ? text
    : text
        .slice(0, MAX_WORD_LENGTH)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}

function splitBigrams(run: string, index: number): Word[] {
  const places: { char: string; start: number }[] = [];
  let start = index;
  for (const char of run) {
    places.push({ char: normalizeWord(char) || char, start });
    start += char.length;
  }
  if (places.length === 1) return [{ text: places[0]!.char, start: index, end: start }];
  return places.slice(1).map(({ char }, i) => ({
    text: places[i]!.char + char,
    start: places[i]!.start,
    end: places[i + 2]?.start ?? start,
  }));
}
